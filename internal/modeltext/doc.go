// Package modeltext holds every text of ours that a model reads: introductions,
// notices, receipts, refusals and the views of read_handover.
//
// The texts are pure functions of their input, in the spelling of one host. All
// of them start with a mark "[handover:WORD", so that they are recognised and
// never taken for somebody's task; what stands in them for a program or a
// literal reader has one syntax everywhere:
//
//   - a call is name({"id":"ho-0123456789abcdef","full":true}), on one line, in
//     backticks;
//   - a receipt is the lines from "[handover:receipt]" to
//     "[/handover:receipt ho-…]", both included, its second line being the id;
//   - text that an agent or a repository wrote stands between a line
//     "<<<MARK what it is" and a line "MARK>>>", where MARK is drawn anew for
//     every answer; the line end before the closing line is not part of it;
//   - a prompt for a successor is one line, outside of all marks, that starts
//     with "[handover:continue ho-…]".
//
// Whatever comes from outside (names, paths, versions, reasons) is quoted and
// cut before it is printed.
package modeltext
