package measure_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
)

func soft(t testing.TB, s string) measure.Soft {
	t.Helper()
	v, err := measure.ParseSoft(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// window is what an adapter returns that knows the window and no compaction
// point.
func window(n int64) measure.Limits {
	return measure.Limits{Window: measure.Limit{Tokens: n, Source: "host"}}
}

func TestStages(t *testing.T) {
	const (
		main = actor.RoleMain
		sub  = actor.RoleSubagent
	)
	for _, c := range []struct {
		name   string
		soft   string
		by     []float64
		cap    float64
		role   actor.Role
		limits measure.Limits
		want   [5]int64
		ceil   int64
		note   string
	}{
		// C is 0.8 × window; stage 1 is 0.72 × C until S is less.
		{name: "auto 128k", soft: "auto", role: sub, limits: window(128_000), want: [5]int64{0, 73_728, 80_384, 87_040, 0}, ceil: 87_040},
		{name: "auto 128k main", soft: "auto", role: main, limits: window(128_000), want: [5]int64{0, 73_728, 80_384, 87_040, 0}, ceil: 87_040},
		{name: "auto 200k", soft: "auto", role: sub, limits: window(200_000), want: [5]int64{0, 115_200, 125_600, 136_000, 0}, ceil: 136_000},
		{name: "auto 258k", soft: "auto", role: sub, limits: window(258_000), want: [5]int64{0, 148_608, 164_304, 180_000, 0}, ceil: 181_400},
		{name: "auto 258k main", soft: "auto", role: main, limits: window(258_000), want: [5]int64{0, 148_608, 164_304, 180_000, 0}, ceil: 181_400},
		{name: "auto 300k", soft: "auto", role: main, limits: window(300_000), want: [5]int64{0, 150_000, 165_000, 180_000, 0}, ceil: 215_000},
		{name: "auto 1M subagent", soft: "auto", role: sub, limits: window(1_000_000), want: [5]int64{0, 200_000, 220_000, 240_000, 300_000}, ceil: 775_000},
		{name: "auto 1M main", soft: "auto", role: main, limits: window(1_000_000), want: [5]int64{0, 300_000, 330_000, 360_000, 450_000}, ceil: 775_000},
		{
			name: "auto on Claude Code's own compaction point, 200k", soft: "auto", role: sub,
			limits: measure.Limits{Window: measure.Limit{Tokens: 200_000}, Compaction: measure.Limit{Tokens: 167_000}},
			want:   [5]int64{0, 120_240, 131_120, 142_000, 0}, ceil: 142_000,
		},
		{
			name: "auto on Claude Code's own compaction point, 1M", soft: "auto", role: sub,
			limits: measure.Limits{Window: measure.Limit{Tokens: 1_000_000}, Compaction: measure.Limit{Tokens: 967_000}},
			want:   [5]int64{0, 200_000, 220_000, 240_000, 300_000}, ceil: 942_000,
		},
		{name: "auto, nothing known", soft: "auto", role: main, want: [5]int64{0, 150_000, 165_000, 180_000, 225_000}},
		{name: "auto ignores multiples where nothing is known", soft: "auto", by: []float64{3}, role: sub, want: [5]int64{0, 150_000, 165_000, 180_000, 225_000}},
		{
			name: "auto, a host that compacts 1M early", soft: "auto", role: main,
			limits: measure.Limits{Window: measure.Limit{Tokens: 1_000_000}, Compaction: measure.Limit{Tokens: 180_000}},
			want:   [5]int64{0, 129_600, 142_300, 155_000, 0}, ceil: 155_000,
		},
		{
			name: "auto, only the compaction point known", soft: "auto", role: main,
			limits: measure.Limits{Compaction: measure.Limit{Tokens: 400_000}},
			want:   [5]int64{0, 150_000, 165_000, 180_000, 225_000}, ceil: 375_000,
		},

		{name: "integer", soft: "100000", role: sub, limits: window(200_000), want: [5]int64{0, 100_000, 110_000, 120_000, 0}, ceil: 136_000},
		{name: "integer, nothing known", soft: "100000", role: sub, want: [5]int64{0, 100_000, 110_000, 120_000, 150_000}},
		{name: "integer with a reminder", soft: "60000", role: sub, limits: window(200_000), want: [5]int64{0, 60_000, 66_000, 72_000, 90_000}, ceil: 136_000},
		{
			name: "integer capped, then at the ceiling: one notice", soft: "150000", role: sub, limits: window(200_000),
			want: [5]int64{0, 136_000, 136_000, 136_000, 0}, ceil: 136_000,
			note: "150000 capped at 0.7 of the window of 200000; stage 1 moved from 140000 to the ceiling",
		},
		{
			name: "integer capped at 0.6", soft: "150000", cap: 0.6, role: main, limits: window(200_000),
			want: [5]int64{0, 120_000, 132_000, 136_000, 0}, ceil: 136_000, note: "150000 capped at 0.6 of the window of 200000",
		},
		{name: "the cap is rounded down", soft: "999", cap: 0.7, role: sub, limits: measure.Limits{Window: measure.Limit{Tokens: 101}, Compaction: measure.Limit{Tokens: 101}},
			want: [5]int64{0, 70, 77, 84, 0}, ceil: 86, note: "999 capped at 0.7 of the window of 101"},
		{name: "own stages", soft: "50000", by: []float64{0.8, 1, 1.5}, role: sub, limits: window(200_000), want: [5]int64{0, 40_000, 50_000, 75_000, 0}, ceil: 136_000},
		{name: "own stages with a reminder above them", soft: "50000", by: []float64{1, 1.1, 1.4}, role: sub, limits: window(200_000), want: [5]int64{0, 50_000, 55_000, 70_000, 75_000}, ceil: 136_000},
		{name: "no stages are the default ones", soft: "50000", by: []float64{}, role: sub, limits: window(200_000), want: [5]int64{0, 50_000, 55_000, 60_000, 75_000}, ceil: 136_000},
		{name: "one stage", soft: "50000", by: []float64{1}, role: sub, limits: window(200_000), want: [5]int64{0, 50_000, 0, 0, 75_000}, ceil: 136_000},

		{name: "percent", soft: "50%", role: sub, limits: window(200_000), want: [5]int64{0, 100_000, 110_000, 120_000, 0}, ceil: 136_000},
		{name: "percent is not capped, only clamped", soft: "75%", role: sub,
			limits: measure.Limits{Window: measure.Limit{Tokens: 1_000_000}, Compaction: measure.Limit{Tokens: 990_000}},
			want:   [5]int64{0, 750_000, 825_000, 900_000, 0}, ceil: 965_000},
		{name: "100 percent", soft: "100%", role: sub, limits: window(258_000), want: [5]int64{0, 181_400, 181_400, 181_400, 0}, ceil: 181_400,
			note: "stage 1 moved from 258000 to the ceiling"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := measure.Policy{Soft: soft(t, c.soft), Multiples: c.by, IntegerCap: c.cap, Role: c.role}.Resolve(c.limits)
			want := measure.Thresholds{Known: true, At: c.want, Ceiling: c.ceil, Note: c.note}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPercentWithoutAWindowIsSilentWithAReason(t *testing.T) {
	p := measure.Policy{Soft: soft(t, "60%")}
	got := p.Resolve(measure.Limits{Compaction: measure.Limit{Tokens: 160_000}})
	if got.Known || got.At != [5]int64{} || !strings.Contains(got.Reason, "60%") || got.Reached(1<<40) != measure.NoStage {
		t.Errorf("%+v", got)
	}
	l := measure.CheckWindow(measure.Reading{Kind: measure.Measured, Tokens: 210_000}, window(200_000))
	if got := p.Resolve(l); got.Known || !strings.Contains(got.Reason, "210000") {
		t.Errorf("the reason does not say what happened to the window: %q", got.Reason)
	}
}

func TestReached(t *testing.T) {
	th := measure.Policy{Soft: soft(t, "60000")}.Resolve(window(200_000))
	for tokens, want := range map[int64]measure.Stage{
		-1: measure.NoStage, 0: measure.NoStage, 59_999: measure.NoStage,
		60_000: measure.Stage1, 65_999: measure.Stage1, 66_000: measure.Stage2, 72_000: measure.Stage3,
		89_999: measure.Stage3, 90_000: measure.Reminder, 1 << 40: measure.Reminder,
	} {
		if got := th.Reached(tokens); got != want {
			t.Errorf("Reached(%d) = %d, want %d", tokens, got, want)
		}
	}
	clamped := measure.Policy{Soft: soft(t, "190000")}.Resolve(window(200_000))
	if got := clamped.Reached(135_999); got != measure.NoStage {
		t.Errorf("before the ceiling: %d", got)
	}
	if got := clamped.Reached(136_000); got != measure.Stage3 || clamped.Last() != measure.Stage3 {
		t.Errorf("at the ceiling: %d, last %d; equal stages are one notice, the highest", got, clamped.Last())
	}
	one := measure.Policy{Soft: soft(t, "50000"), Multiples: []float64{1}}.Resolve(window(200_000))
	if got := one.Reached(74_999); got != measure.Stage1 {
		t.Errorf("with one stage: %d", got)
	}
}

func TestFallen(t *testing.T) {
	th := measure.Policy{Soft: soft(t, "60001")}.Resolve(measure.Limits{})
	for _, c := range []struct {
		tokens int64
		told   measure.Stage
		want   bool
	}{
		{0, measure.NoStage, false},
		{0, measure.Stage1, true},
		{30_000, measure.Stage1, true}, // half is 30,000.5
		{30_001, measure.Stage1, false},
		{36_000, measure.Stage3, true},
		{36_001, measure.Stage3, false},
		{45_000, measure.Reminder, true},
		{45_001, measure.Reminder, false},
		{0, measure.Stage(9), true},
		{0, measure.Stage(-1), false},
	} {
		if got := th.Fallen(c.tokens, c.told); got != c.want {
			t.Errorf("Fallen(%d, %d) = %v", c.tokens, c.told, got)
		}
	}
	none := measure.Policy{Soft: soft(t, "190000")}.Resolve(window(200_000))
	if !none.Fallen(60_000, measure.Reminder) || none.Fallen(70_000, measure.Reminder) {
		t.Error("told of a reminder that no longer exists: the highest stage that does stands in")
	}
	if (measure.Thresholds{}).Fallen(0, measure.Stage2) {
		t.Error("nothing known, yet fallen")
	}
}

// anyPolicy and anyLimits draw from what users and hosts can bring, the absurd
// included.
func anyPolicy(r *rand.Rand) measure.Policy {
	p := measure.Policy{Role: actor.RoleSubagent, IntegerCap: []float64{0, 0.6, 0.7, 1}[r.IntN(4)]}
	if r.IntN(2) == 0 {
		p.Role = actor.RoleMain
	}
	switch r.IntN(3) {
	case 1:
		p.Soft, _ = measure.SoftTokens(1 + anySize(r)%1_000_000_000)
	case 2:
		p.Soft, _ = measure.ParseSoft([]string{"1%", "33%", "60%", "80%", "100%"}[r.IntN(5)])
	}
	if n := r.IntN(4); n > 0 {
		f := 0.01
		for range n {
			f += r.Float64() * 3
			p.Multiples = append(p.Multiples, f)
		}
	}
	return p
}

func anyLimits(r *rand.Rand) measure.Limits {
	var l measure.Limits
	if r.IntN(4) > 0 {
		l.Window.Tokens = 1 + anySize(r)
	}
	if r.IntN(2) > 0 {
		l.Compaction.Tokens = 1 + anySize(r)
	}
	return l
}

// anySize is a size of any magnitude, most often a plausible one.
func anySize(r *rand.Rand) int64 {
	switch r.IntN(4) {
	case 0:
		return r.Int64N(20)
	case 1:
		return r.Int64() >> r.IntN(62)
	}
	return r.Int64N(1_200_000)
}

func TestStagesAlwaysHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300_000 {
		p, l := anyPolicy(r), anyLimits(r)
		th := p.Resolve(l)
		if !th.Known {
			if !p.Soft.IsPercent() || l.Window.Known() || th.Reason == "" {
				t.Fatalf("%+v %+v: silent: %+v", p, l, th)
			}
			continue
		}
		if th.At[measure.NoStage] != 0 || th.Soft() < 1 {
			t.Fatalf("%+v %+v: no first stage: %+v", p, l, th)
		}
		ceiling := int64(1 << 62)
		if th.Ceiling > 0 {
			ceiling = th.Ceiling
		} else if l.Window.Known() || l.Compaction.Known() {
			t.Fatalf("%+v %+v: no ceiling: %+v", p, l, th)
		}
		last := int64(0)
		for s := measure.Stage1; s <= measure.Reminder; s++ {
			at := th.At[s]
			if at == 0 {
				continue
			}
			if at < last || at > ceiling && th.Ceiling != 0 {
				t.Fatalf("%+v %+v: stage %d: %+v", p, l, s, th)
			}
			if got := th.Reached(at); got < s {
				t.Fatalf("%+v %+v: at stage %d Reached says %d: %+v", p, l, s, got, th)
			}
			last = at
		}
		if rem := th.At[measure.Reminder]; rem != 0 && (rem <= th.At[measure.Stage3] || rem >= ceiling && th.Ceiling != 0) {
			t.Fatalf("%+v %+v: reminder: %+v", p, l, th)
		}
		// Whoever reaches the ceiling has been told something.
		if th.Ceiling > 0 && th.Reached(th.Ceiling) == measure.NoStage {
			t.Fatalf("%+v %+v: silence at the ceiling: %+v", p, l, th)
		}
		if th.Ceiling > 0 && l.Compaction.Known() && th.Ceiling > l.Compaction.Tokens {
			t.Fatalf("%+v %+v: ceiling above the compaction point: %+v", p, l, th)
		}
		a, b := anySize(r), anySize(r)
		if a > b {
			a, b = b, a
		}
		if th.Reached(a) > th.Reached(b) {
			t.Fatalf("%+v: Reached falls from %d to %d", th, a, b)
		}
		if told := th.Reached(b); th.Fallen(b, told) {
			t.Fatalf("%+v: a reading of %d that was just told has fallen", th, b)
		}
	}
}

func TestALargerWindowNeverMovesAStageDown(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50_000 {
		p := anyPolicy(r)
		small, large := 1+r.Int64N(2_000_000), 1+r.Int64N(2_000_000)
		if small > large {
			small, large = large, small
		}
		a, b := p.Resolve(window(small)), p.Resolve(window(large))
		for s := measure.Stage1; s <= measure.Stage3; s++ {
			if a.At[s] > b.At[s] {
				t.Fatalf("%+v: window %d gives %v, window %d gives %v", p, small, a.At, large, b.At)
			}
		}
	}
}

func TestResolveKeepsTheCallersMultiples(t *testing.T) {
	by := []float64{1, 2, 3}
	p := measure.Policy{Multiples: by}
	p.Resolve(measure.Limits{})
	measure.DefaultMultiples()[0] = 9
	if p.Multiples[0] != 1 || by[2] != 3 || measure.DefaultMultiples()[0] != 1 {
		t.Error("changed")
	}
}
