// Package store keeps handovers and the facts around them in one directory.
//
// A handover is one immutable file. Everything else is one fact in one file,
// created exclusively and never changed, so that programs that run at once
// cannot lose each other's facts: nothing is read, changed and written back.
// There are no locks, no daemon and no database. docs/format.md describes the
// files for somebody who has no program of ours.
//
// # Opening
//
// A Store is opened for one call and closed after it, because a directory that
// was moved or restored must not be written on. [Open] is for reading: it
// changes nothing on disk and costs two system calls; it does not read the
// file "format", since a reader takes what it understands and every record
// carries its own version. [Create] is for writing: it makes what is missing,
// tightens modes, and refuses a store that a newer program wrote.
//
// # What callers can rely on
//
//   - A handover that [Store.Publish] acknowledged is on disk, verified, under
//     a name that no other text will ever have.
//   - A capability is consumed at most once, by whoever comes first among any
//     number of processes, and only where all records that match a call agree
//     on the actor.
//   - A program killed at any instruction, a full or read-only disk: the old
//     state or the new, never between. Leftover temporary files are removed
//     later by whoever writes.
//
// # Concurrency
//
// Any number of processes and goroutines may use one directory at once, and the
// methods of one Store may be called from several goroutines.
//
// # Errors
//
// Errors wrap a sentinel of this package or the system's error, so that
// errors.Is works for both, and name the path or id they are about. Where
// people read them they say what happened, what was not done and what helps.
//
// # File systems
//
// A file system without hard links or modes is refused ([ErrUnfit]). On NFS a
// claim whose answer was lost can be refused to its own winner, as "already
// used"; nothing is lost by that.
package store
