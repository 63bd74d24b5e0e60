package measure_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/measure"
)

func TestParseSoft(t *testing.T) {
	for _, s := range []string{"auto", "1", "150000", "1000000000", "1%", "60%", "100%"} {
		got, err := measure.ParseSoft(s)
		if err != nil {
			t.Errorf("ParseSoft(%q): %v", s, err)
		} else if got.String() != s {
			t.Errorf("ParseSoft(%q) prints as %q", s, got)
		}
	}
	for s, want := range map[string]string{
		"":                     "empty",
		" ":                    `" " is not "auto"`,
		"Auto":                 `"Auto" is not "auto"`,
		"150000 ":              `"150000 " is not`,
		"+1":                   `"+1" is not`,
		"-5":                   `"-5" is not`,
		"007":                  `"007" is not`,
		"150k":                 `"150k" is not`,
		"150_000":              `"150_000" is not`,
		"1.5e5":                `"1.5e5" is not`,
		"0x10":                 `"0x10" is not`,
		"١٢٣":                  "is not",
		"${user_config.soft}":  `"${user_config.soft}" is not`,
		"0":                    `"0" is not a number of tokens between 1`,
		"1000000001":           "is not a number of tokens between 1",
		"99999999999999999999": "is not a number of tokens between 1",
		"%":                    "not a whole percentage",
		"60.5%":                "not a whole percentage",
		"60 %":                 "not a whole percentage",
		"0%":                   "not between 1% and 100%",
		"101%":                 "not between 1% and 100%",
	} {
		_, err := measure.ParseSoft(s)
		if err == nil {
			t.Errorf("ParseSoft(%q) is no error", s)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("ParseSoft(%q): %v, want it to say %s", s, err, want)
		}
	}
}

func TestSoftTokensRefusesWhatIsNoNumberOfTokens(t *testing.T) {
	for _, n := range []int64{-1, 0, 1_000_000_001, 1 << 62} {
		if s, err := measure.SoftTokens(n); err == nil {
			t.Errorf("SoftTokens(%d) = %v", n, s)
		}
	}
}

func TestZeroSoftIsAuto(t *testing.T) {
	var zero measure.Soft
	auto, err := measure.ParseSoft("auto")
	if err != nil || zero != auto || !zero.IsAuto() || zero.IsPercent() {
		t.Errorf("zero %v, parsed %v, %v", zero, auto, err)
	}
}

func TestSoftAsJSON(t *testing.T) {
	for s, want := range map[string]string{"auto": `"auto"`, "150000": `150000`, "60%": `"60%"`} {
		soft, err := measure.ParseSoft(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(struct{ Soft *measure.Soft }{&soft})
		if err != nil || string(got) != `{"Soft":`+want+`}` {
			t.Errorf("%s: %s, %v", s, got, err)
		}
	}
}

func FuzzParseSoft(f *testing.F) {
	for _, s := range []string{"auto", "150000", "60%", "", "0", "100%", "1e9", "９"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		soft, err := measure.ParseSoft(s)
		if err == nil && soft.String() != s {
			t.Errorf("%q was understood as %q", s, soft)
		}
	})
}
