// Command scheduler runs upstream's scheduler, quota evaluators and controllers over random rollouts in small clusters, for every choice of nodes.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	recording "rolloutkit-oracle-recording"
)

func quantity(text string) *resource.Quantity { return toPointer(resource.MustParse(text)) }

var kinds = []kind{deploymentKind, statefulSetKind, daemonSetKind, blueGreenKind, leaderWorkerSetKind}

// gates are those that the programs need off: preemption in a goroutine, and waiting for resource versions that our fakes do not give.
func gates() map[string]bool {
	off := map[string]bool{}
	known := utilfeature.DefaultMutableFeatureGate.GetAll()
	for _, name := range []string{"SchedulerAsyncPreemption", "StaleControllerConsistencyStatefulSet", "StaleControllerConsistencyDaemonSet", "StaleControllerConsistencyReplicaSet"} {
		if _, has := known[featuregate.Feature(name)]; has {
			off[name] = false
		}
	}
	return off
}

const about = "Rollouts in random small clusters, by all default plugins of the scheduler, the evaluators of quotas, and the controllers of apps/v1 (Argo's blueGreen and LeaderWorkerSets restated), over every choice of nodes that the filters allow. " +
	"`outcome`: whether all ends finish (every), none does, or some; `newAtLeast`, `newAtMost`: new pods that run at the ends; `oldAtLeast`: old ones. The controller acts until it has nothing to do, then the scheduler places all pods that it can, then pods become ready, all or one; " +
	"`raced`: the ends if any of the three may act at any time, where they differ. `evicts`: pods of others are evicted; `unevicted`: the ends without preemption."

const usage = `usage:
  go run . draw > CASES            draws cases (CASES a theme, SEED, KIND, THEME)
  go run . replay CASES [FOLDER]   runs them anew, and writes the recording into FOLDER`

func main() {
	klog.SetLogger(klog.Logger{})
	must(utilfeature.DefaultMutableFeatureGate.SetFromMap(gates()))
	metrics.Register()
	debug.SetGCPercent(800) // most of what is made lives for one question
	switch arguments := append(os.Args[1:], "", "", ""); arguments[0] {
	case "draw":
		drawAll(os.Stdout)
	case "replay":
		replay(arguments[1], arguments[2])
	default:
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
}

// drawAll writes cases of each kind and theme. At most half of a theme end in every placement, or in none.
func drawAll(out io.Writer) {
	encoder := json.NewEncoder(out)
	for _, kind := range kinds {
		if only := os.Getenv("KIND"); only != "" && only != kind.name {
			continue
		}
		for theme := 0; theme <= len(themes); theme++ {
			name := "mixed"
			if theme < len(themes) {
				name = themes[theme].name
			}
			if only := os.Getenv("THEME"); kind.themes != nil && !slices.Contains(kind.themes, name) || only != "" && only != name {
				continue
			}
			drawTheme(encoder, kind, theme, name)
		}
	}
}

func drawTheme(encoder *json.Encoder, kind kind, theme int, name string) {
	wanted, seed := recording.NumberOf("CASES", 20), int64(recording.NumberOf("SEED", 1))
	if name == "gates" {
		wanted = 1 + wanted/8
	}
	counts := map[string]int{}
	begin := time.Now()
	drawn, made := 0, 0
	for ; made < wanted && drawn < 4*wanted; drawn++ {
		one := draw(kind, theme, seed*1_000_003+int64(theme)*100_003+int64(drawn))
		if one == nil || one.Outcome != "some" && counts[one.Outcome] >= (wanted+1)/2 {
			continue
		}
		counts[one.Outcome]++
		made++
		one.ID, one.Theme = fmt.Sprintf("%s-%s-%d-%d", kind.name, name, seed, made), name
		must(encoder.Encode(one))
	}
	fmt.Fprintln(os.Stderr, kind.name, name, counts, "of", drawn, time.Since(begin).Round(time.Millisecond))
}
