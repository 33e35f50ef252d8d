//go:build !lws0.8 && !lws0.7

package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	recording "rolloutkit-oracle-recording"
	disaggv1 "sigs.k8s.io/lws/api/disaggregatedset/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	utils "sigs.k8s.io/lws/pkg/utils/disaggregatedset"
)

const aboutRoleChanges = "the same where a change finds another one under way, or is the way back from it: the LeaderWorkerSets that are there, those of the newest revision first, " +
	"[revision, role, groups, the annotation of how many it had, maxSurge, maxUnavailable], null where there is none; the revision that is wanted, null where it is not there; " +
	"the roles wanted, the turns that change something and who is refused in the end, as in lws-role-rollouts"

// change makes the set's spec another one.
func (w *roleWorld) change(image string, roles []role) []disaggv1.DisaggregatedRoleSpec {
	live := &disaggv1.DisaggregatedSet{}
	must(w.client.Get(context.Background(), types.NamespacedName{Namespace: "default", Name: "chat"}, live))
	live.Spec = disaggregated(image, roles).Spec
	must(w.client.Update(context.Background(), live))
	return live.Spec.Roles
}

// turns turns the controller until so many turns have changed something, or none does any more.
func (w *roleWorld) turns(most int) {
	for still := 0; still < 4 && most > 0; {
		changed, err := w.turn()
		if err != nil {
			still++
		} else if changed {
			most, still = most-1, 0
		} else {
			still++
		}
	}
}

// newestFirst are the LeaderWorkerSets that are there.
func (w *roleWorld) newestFirst() []lwsv1.LeaderWorkerSet {
	sets := w.sets()
	newest := map[string]int64{}
	for _, set := range sets {
		revision := set.Labels[disaggv1.RevisionLabelKey]
		newest[revision] = max(newest[revision], set.CreationTimestamp.Unix())
	}
	slices.SortStableFunc(sets, func(a, b lwsv1.LeaderWorkerSet) int {
		return int(newest[b.Labels[disaggv1.RevisionLabelKey]] - newest[a.Labels[disaggv1.RevisionLabelKey]])
	})
	return sets
}

func seenSet(set lwsv1.LeaderWorkerSet) []any {
	seen := []any{set.Labels[disaggv1.RevisionLabelKey], set.Labels[disaggv1.RoleLabelKey], *set.Spec.Replicas, nil, nil, nil}
	if initial, is := utils.GetInitialReplicas(&set); is {
		seen[3] = initial
	}
	if configuration := set.Spec.RolloutStrategy.RollingUpdateConfiguration; configuration != nil {
		seen[4], seen[5] = seenValue(configuration.MaxSurge), seenValue(configuration.MaxUnavailable)
	}
	return seen
}

// isAtRest says whether every role has the groups that are wanted: a webhook may refuse them.
func (w *roleWorld) isAtRest(wanted []role) bool {
	groups := map[string]int32{}
	for _, set := range w.sets() {
		groups[set.Labels[disaggv1.RoleLabelKey]] = *set.Spec.Replicas
	}
	for _, r := range wanted {
		if made, is := groups[r.name]; !is || made != r.replicas {
			return false
		}
	}
	return true
}

// roleChange is the last of some changes, each of which overtakes the one before after so many turns; nil where the first is never at rest.
func roleChange(images []string, wanted [][]role, turns []int) []any {
	w := newRoleWorld(disaggregated(images[0], wanted[0]))
	w.turns(1000)
	if !w.isAtRest(wanted[0]) {
		return nil
	}
	last := len(images) - 1
	for n := 1; n < last; n++ {
		w.change(images[n], wanted[n])
		w.turns(turns[n])
	}
	roles := w.change(images[last], wanted[last])
	revision := utils.ComputeRevision(roles)
	names, seenWanted := []string{}, []any{}
	for _, r := range wanted[last] {
		names, seenWanted = append(names, r.name), append(seenWanted, r.seen())
	}
	all := slices.Clone(names)
	standing, found := []any{}, any(nil)
	for _, set := range w.newestFirst() {
		standing = append(standing, seenSet(set))
		if set.Labels[disaggv1.RevisionLabelKey] == revision {
			found = revision
		}
		if name := set.Labels[disaggv1.RoleLabelKey]; !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	rows := [][][2]int32{}
	var refused any
	for still := 0; still < 4 && len(rows) < 200; {
		changed, err := w.turn()
		if changed {
			rows, still = append(rows, w.row(all, revision)), 0
		} else {
			still++
		}
		refused = nil
		if err != nil {
			refused = refusedOf(err, all)
		}
	}
	return []any{standing, found, seenWanted, rows, refused}
}

// rolesLike are the same roles, some with other groups or limits, at times one more or one less.
func rolesLike(r *rand.Rand, before []role) []role {
	roles := slices.Clone(before)
	for n := range roles {
		if r.IntN(3) == 0 {
			roles[n].replicas = r.Int32N(8)
		}
		if r.IntN(4) == 0 {
			roles[n].maxSurge, roles[n].maxUnavailable = roleLimit(r, 4), roleLimit(r, 3)
		}
	}
	if r.IntN(8) == 0 {
		if len(roles) > 2 {
			return roles[:2]
		}
		return append(roles, role{name: "encode", replicas: 1 + r.Int32N(5)})
	}
	return roles
}

func roleChangeCases() []any {
	r := rand.New(rand.NewPCG(uint64(recording.NumberOf("SEED", 31)), 37))
	cases := []any{}
	for most := recording.NumberOf("CASES", 400); len(cases) < most; {
		first := []role{}
		for _, name := range []string{"prefill", "decode", "encode"}[:2+max(0, r.IntN(4)-2)] {
			one := role{name: name, replicas: r.Int32N(9)}
			if r.IntN(4) > 0 {
				one.maxSurge, one.maxUnavailable = roleLimit(r, 4), roleLimit(r, 3)
			}
			first = append(first, one)
		}
		images, wanted, turns := []string{"vllm:1"}, [][]role{first}, []int{0}
		for range 1 + r.IntN(2) {
			images, turns = append(images, []string{"vllm:2", "vllm:3"}[len(images)-1]), append(turns, r.IntN(6))
			wanted = append(wanted, rolesLike(r, wanted[len(wanted)-1]))
		}
		if r.IntN(3) == 0 {
			back := r.IntN(len(images))
			images, wanted = append(images, images[back]), append(wanted, rolesLike(r, wanted[back]))
		} else {
			images, wanted = append(images, "vllm:4"), append(wanted, rolesLike(r, wanted[len(wanted)-1]))
		}
		if made := roleChange(images, wanted, append(turns, 0)); made != nil {
			cases = append(cases, made)
		}
	}
	return cases
}
