package main

import (
	"fmt"
	"math/rand"

	"k8s.io/apimachinery/pkg/util/intstr"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

const aboutRounding = "ResolveFenceposts of the Deployment controller: [surge, unavailable] for values as stored and a number of replicas, before unavailable is clamped to it. Surge rounds up, unavailable down, by GetScaledValueFromIntOrPercent."

type roundingCase struct {
	Replicas       int32              `json:"replicas"`
	MaxSurge       intstr.IntOrString `json:"maxSurge"`
	MaxUnavailable intstr.IntOrString `json:"maxUnavailable"`
	Resolved       [2]int32           `json:"resolved"`
}

func roundingCases() []any {
	random := rand.New(rand.NewSource(6))
	some := func() intstr.IntOrString {
		switch random.Intn(8) {
		case 0:
			return intstr.FromInt32(random.Int31())
		case 1:
			return intstr.FromInt32(random.Int31n(10))
		case 2:
			return intstr.FromString(fmt.Sprint(random.Intn(1000), "%"))
		default:
			return intstr.FromString(fmt.Sprint(random.Intn(101), "%"))
		}
	}
	totals := []int32{1, 2, 3, 7, 10, 99, 100, 101, 1000, 12345, 1 << 20, 21474836, 42949673, 1<<30 + 7, 2147483646, 2147483647}
	var cases []any
	for range 400 {
		c := roundingCase{Replicas: totals[random.Intn(len(totals))], MaxSurge: some(), MaxUnavailable: some()}
		if random.Intn(2) == 0 {
			c.Replicas = 1 + random.Int31n(1000)
		}
		surge, unavailable, err := deploymentutil.ResolveFenceposts(&c.MaxSurge, &c.MaxUnavailable, c.Replicas)
		must(err)
		c.Resolved = [2]int32{surge, unavailable}
		cases = append(cases, c)
	}
	return cases
}
