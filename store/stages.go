package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
)

// Epoch is how a new epoch of an actor began.
type Epoch struct {
	// Cause in one word of letters, digits, "-" and "_".
	Cause string `json:"cause"`
	// Floor is the length of the actor's own record then, in bytes.
	Floor int64     `json:"floor"`
	At    time.Time `json:"at"`
}

// StartEpoch begins the actor's next epoch and returns its number, from 1. Two
// that begin at once are two epochs, of which the later is the actor's.
func (s *Store) StartEpoch(a actor.ID, e Epoch) (n int, err error) {
	if strings.Trim(e.Cause, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" || e.Floor < 0 {
		return 0, fmt.Errorf("not the beginning of an epoch: cause %q, floor %d", e.Cause, e.Floor)
	}
	found, err := s.list(dirActors + "/" + a.Key())
	if err != nil {
		return 0, err
	}
	for n = parseFacts(found).Epoch + 1; ; n++ {
		won, err := s.claimFact(a, factEpoch+strconv.Itoa(n), e)
		if err != nil {
			return 0, err
		}
		if won {
			return n, nil
		}
	}
}

// ClaimStage claims stages of an epoch for one notice, from the lowest to the
// highest. won is true where this call created the highest one and no higher
// one was claimed meanwhile: only then may the notice be given. So a stage has
// one notice, and a lower one has none after a higher.
func (s *Store) ClaimStage(a actor.ID, epoch int, stages []int) (won bool, err error) {
	if err := checkStages(epoch, stages); err != nil {
		return false, err
	}
	stages = slices.Sorted(slices.Values(stages))
	for _, stage := range stages {
		if won, err = s.claimFact(a, stageName(epoch, stage), nil); err != nil {
			return false, err
		}
	}
	if !won {
		return false, nil
	}
	d, err := s.visit(dirActors + "/" + a.Key())
	if err != nil {
		return false, err
	}
	defer d.Close()
	for higher := stages[len(stages)-1] + 1; higher <= int(measure.Reminder); higher++ {
		if there, err := exists(d, stageName(epoch, higher)); err != nil || there {
			return false, err
		}
	}
	return true, nil
}

// ReleaseStage takes claims back whose notice did not arrive.
func (s *Store) ReleaseStage(a actor.ID, epoch int, stages []int) error {
	if err := checkStages(epoch, stages); err != nil {
		return err
	}
	var list []string
	for _, stage := range stages {
		list = append(list, stageName(epoch, stage))
	}
	return s.releaseFacts(a, list)
}

// ClaimIntro claims the introduction of an epoch. won is true for one of all
// that try.
func (s *Store) ClaimIntro(a actor.ID, epoch int) (won bool, err error) {
	if epoch < 0 {
		return false, fmt.Errorf("no such epoch: %d", epoch)
	}
	return s.claimFact(a, factEpoch+strconv.Itoa(epoch)+factIntro, nil)
}

// ReleaseIntro takes the claim back where the introduction did not arrive.
func (s *Store) ReleaseIntro(a actor.ID, epoch int) error {
	return s.releaseFacts(a, []string{factEpoch + strconv.Itoa(epoch) + factIntro})
}

func (s *Store) releaseFacts(a actor.ID, list []string) error {
	d, err := s.enter(dirActors + "/" + a.Key())
	if err != nil {
		return err
	}
	defer d.Close()
	var failed []error
	for _, name := range list {
		if err := d.Remove(name); err != nil && !missing(err) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func checkStages(epoch int, stages []int) error {
	if epoch < 0 || len(stages) == 0 {
		return fmt.Errorf("no such stages: epoch %d, stages %v", epoch, stages)
	}
	for _, stage := range stages {
		if stage < 1 || stage > int(measure.Reminder) {
			return fmt.Errorf("no such stage: %d", stage)
		}
	}
	return nil
}

func stageName(epoch, stage int) string {
	return factEpoch + strconv.Itoa(epoch) + factStage + strconv.Itoa(stage)
}
