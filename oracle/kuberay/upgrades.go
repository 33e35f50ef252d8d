package main

import (
	"k8s.io/utils/ptr"
)

const aboutUpgrades = "Incremental upgrades by the whole Reconcile of the operator on an API server of maps, where every pod is ready at once. " +
	"in: maxSurgePercent, stepSizePercent, intervalSeconds. steps: seconds, capacity of the active and of the pending cluster, " +
	"traffic of the active and of the pending one, a row a reconcile that changed something; the last is the one that promotes. " +
	"rollback: the same from the first row with half of the traffic moved on, at which the change is reverted."

type row [5]int

type upgradeCase struct {
	In       [3]int `json:"in"`
	Steps    []row  `json:"steps"`
	Outcome  string `json:"outcome"`
	Rollback []row  `json:"rollback,omitempty"`
}

// paces are surge, step and interval; those with a small surge have hundreds of rows, and few of them will do.
func paces() [][3]int {
	out := [][3]int{{0, 0, 10}, {20, 0, 10}, {1, 1, 60}, {2, 1, 30}, {100, 1, 20}, {20, 5, 10}, {30, 10, 10}}
	surges := []int{5, 7, 10, 15, 20, 25, 30, 33, 40, 50, 60, 67, 75, 90, 99, 100}
	for i, surge := range surges {
		for j, step := range surges {
			if step <= surge && (i+j)%2 == 0 {
				out = append(out, [3]int{surge, step, []int{5, 10, 30, 60}[(i*3+j)%4]})
			}
		}
	}
	return out
}

func upgradeCases() []any {
	read := readInputs()
	base := changed(read.Base, []change{{"/spec/serveConfigV2", read.ServeConfig}})
	cases := []any{}
	for _, pace := range paces() {
		cases = append(cases, upgradeAt(base, pace))
	}
	return cases
}

func upgradeAt(base map[string]any, pace [3]int) upgradeCase {
	options := "/spec/upgradeStrategy/clusterUpgradeOptions"
	before := changed(base, []change{
		{options + "/maxSurgePercent", pace[0]}, {options + "/stepSizePercent", pace[1]}, {options + "/intervalSeconds", pace[2]},
	})
	after := changed(before, []change{{headPod + "/spec/containers/0/image", "b"}})
	c := upgradeCase{In: pace}
	c.Steps, c.Outcome = run(before, after, pace[2], 0)
	if c.Outcome == "promoted" && canRollBack {
		if rows, outcome := run(before, after, pace[2], 50); outcome == "back" {
			c.Rollback = rows
		}
	}
	return c
}

// run plays an upgrade to its end; with `revertAt` it reverts the change at the first row with so much traffic moved, and gives the way back.
func run(before, after map[string]any, interval, revertAt int) ([]row, string) {
	w := newWorld(stored(before))
	must(w.settle(10))
	w.apply(stored(after))
	_ = w.settle(2)
	rows := []row{{0, 100, 0, 100, 0}}
	elapsed, shifted, idle, reverted := 0, 0, 0, false
	for {
		_ = w.reconcile()
		status := w.service().Status
		now := w.row(elapsed)
		last := rows[len(rows)-1]
		if status.PendingServiceStatus.RayClusterName == "" {
			if reverted {
				return append(rows, row{elapsed, 100, 0, 100, 0}), "back"
			}
			return append(rows, row{elapsed, 0, 100, 0, 100}), "promoted"
		}
		if now[1] != last[1] || now[2] != last[2] || now[4] != last[4] {
			if now[4] != last[4] {
				shifted = elapsed
			}
			rows, idle = append(rows, now), 0
			if revertAt > 0 && !reverted && now[4] >= revertAt {
				w.apply(stored(before))
				reverted, rows = true, []row{{0, now[1], now[2], now[3], now[4]}}
				elapsed, shifted = 0, 0
			}
			continue
		}
		idle++
		if idle > 4 {
			return rows, "stalled"
		}
		if idle == 2 {
			wait := max(0, shifted+interval-elapsed)
			w.age(wait)
			elapsed += wait
		}
	}
}

func (w *world) row(elapsed int) row {
	status := w.service().Status
	active, pending := status.ActiveServiceStatus, status.PendingServiceStatus
	of := func(value *int32, none int32) int { return int(ptr.Deref(value, none)) }
	return row{elapsed, of(active.TargetCapacity, 100), of(pending.TargetCapacity, 0), of(active.TrafficRoutedPercent, 100), of(pending.TrafficRoutedPercent, 0)}
}
