//go:build !kubernetes1.30

package main

import (
	"math/rand"

	recording "rolloutkit-oracle-recording"
)

const aboutEndpointChanges = "Ready endpoints of Services while Services and workloads change together: the real Deployment, StatefulSet and EndpointSlice controllers, driven by hand, and kube-proxy's trackers. " +
	"`old` and `new` are what is applied, `prune` whether what `new` lacks is deleted: `now` before any new pod is ready, `last` once all are, in a row of its own, `no` not at all. `refused` are workloads that stay as they are. " +
	"A workload is [kind, name, replicas, labels, ports, image, strategy]; D, S with strategy [maxSurge, maxUnavailable], [] is Recreate, or the podManagementPolicy. A Service is [name, selector, ports, publishNotReadyAddresses, headless]. " +
	"`seen`, by Service: [before, rows, after]. A row is what holds at the fix point of a wave, before its new pods are ready: [ready endpoints of the port with fewest, those of the new version, " +
	"what the proxy does with a connection to this port: p pods, t terminating pods, r refuse, - headless]. Pods deleted in a wave terminate and stay ready until its end. `before` and `after` are the ready endpoints at rest, null where there is no Service."

// A shopWorkload is a Deployment or StatefulSet of a case.
type shopWorkload struct {
	kind, name string
	replicas   int32
	labels     map[string]string
	ports      [][3]any // name, number, protocol
	image      string
	strategy   []any
}

func (w shopWorkload) row() []any {
	return []any{w.kind, w.name, w.replicas, w.labels, w.ports, w.image, w.strategy}
}

// A shopService is a Service of a case.
type shopService struct {
	name     string
	selector map[string]string
	ports    [][4]any // name, port, targetPort, protocol
	publish  bool
	headless bool
}

func (s shopService) row() []any { return []any{s.name, s.selector, s.ports, s.publish, s.headless} }

type shop struct {
	workloads []shopWorkload
	services  []shopService
}

func (s shop) rows() map[string]any {
	rows := map[string]any{}
	var workloads, services []any
	for _, w := range s.workloads {
		workloads = append(workloads, w.row())
	}
	for _, one := range s.services {
		services = append(services, one.row())
	}
	rows["workloads"], rows["services"] = workloads, services
	return rows
}

type endpointCase struct {
	Old     map[string]any `json:"old"`
	New     map[string]any `json:"new"`
	Prune   string         `json:"prune"`
	Refused []string       `json:"refused,omitempty"`
	Seen    map[string]any `json:"seen"`
}

func (c endpointCase) hasEndpoints() bool {
	for _, seen := range c.Seen {
		if before, has := seen.([]any)[0].(int); has && before > 0 {
			return true
		}
	}
	return false
}

func oneOf[T any](random *rand.Rand, values ...T) T { return values[random.Intn(len(values))] }

func cloneLabels(labels map[string]string) map[string]string {
	copied := map[string]string{}
	for key, value := range labels {
		copied[key] = value
	}
	return copied
}

func randomPorts(random *rand.Rand) [][3]any {
	ports := [][3]any{}
	if random.Intn(8) > 0 {
		ports = append(ports, [3]any{oneOf(random, "http", "http", "http", "web"), oneOf(random, 8080, 8080, 9090), "TCP"})
	}
	if random.Intn(3) == 0 {
		ports = append(ports, [3]any{oneOf(random, "grpc", "dns"), 5353, oneOf(random, "TCP", "UDP")})
	}
	return ports
}

func randomStrategy(random *rand.Rand, kind string) []any {
	if kind == "S" {
		return []any{oneOf(random, "OrderedReady", "Parallel")}
	}
	if random.Intn(8) == 0 {
		return []any{}
	}
	return oneOf(random, []any{"25%", "25%"}, []any{1, 0}, []any{0, 1}, []any{2, 1}, []any{"50%", "0%"}, []any{"0%", "50%"}, []any{"100%", "100%"})
}

func randomWorkload(random *rand.Rand, name string) shopWorkload {
	labels := map[string]string{"w": name, "app": "shop"}
	if random.Intn(3) > 0 {
		labels["version"] = oneOf(random, "v1", "v2")
	}
	if random.Intn(3) == 0 {
		labels["tier"] = oneOf(random, "web", "db")
	}
	kind := oneOf(random, "D", "D", "D", "S")
	return shopWorkload{kind, name, int32(random.Intn(7)), labels, randomPorts(random), "shop:1", randomStrategy(random, kind)}
}

func randomSelector(random *rand.Rand) map[string]string {
	return cloneLabels(oneOf(random,
		map[string]string{"app": "shop"},
		map[string]string{"app": "shop", "version": "v1"},
		map[string]string{"app": "shop", "version": "v2"},
		map[string]string{"tier": "web"},
		map[string]string{"w": "a"},
		map[string]string{"w": "a", "version": "v1"},
	))
}

func randomServicePorts(random *rand.Rand) [][4]any {
	ports := [][4]any{{"p", 80, oneOf[any](random, 8080, "http", "http", "web"), "TCP"}}
	if random.Intn(4) == 0 {
		ports = append(ports, [4]any{"q", 90, oneOf[any](random, "grpc", "dns", 5353), oneOf(random, "TCP", "UDP")})
	}
	return ports
}

func randomService(random *rand.Rand, name string) shopService {
	return shopService{name, randomSelector(random), randomServicePorts(random), random.Intn(12) == 0, random.Intn(8) == 0}
}

// editWorkload changes one to three things of a workload.
func editWorkload(random *rand.Rand, w shopWorkload) shopWorkload {
	w.labels = cloneLabels(w.labels)
	for range 1 + random.Intn(3) {
		switch random.Intn(8) {
		case 0, 1, 2:
			w.image = "shop:2"
		case 3:
			w.labels["version"] = oneOf(random, "v1", "v2", "v3")
		case 4:
			delete(w.labels, oneOf(random, "version", "tier", "app"))
		case 5:
			w.ports = randomPorts(random)
		case 6:
			w.labels["tier"] = oneOf(random, "web", "db")
		default:
			if w.kind == "D" {
				w.replicas = int32(random.Intn(7))
			}
		}
	}
	return w
}

func editService(random *rand.Rand, s shopService) shopService {
	for range 1 + random.Intn(2) {
		switch random.Intn(4) {
		case 0, 1:
			s.selector = randomSelector(random)
		case 2:
			s.ports = randomServicePorts(random)
		default:
			s.publish = random.Intn(4) == 0
		}
	}
	return s
}

func randomEndpointCase(random *rand.Rand) endpointCase {
	old := shop{}
	for _, name := range []string{"a", "b", "c"}[:1+random.Intn(3)] {
		old.workloads = append(old.workloads, randomWorkload(random, name))
	}
	for _, name := range []string{"s1", "s2"}[:1+random.Intn(2)] {
		old.services = append(old.services, randomService(random, name))
	}
	next := shop{}
	refused := []string{}
	for _, w := range old.workloads {
		switch random.Intn(9) {
		case 0: // it is renamed
			w.labels = cloneLabels(w.labels)
			w.labels["w"] = w.name + "2"
			if random.Intn(2) == 0 {
				w.kind, w.name = "D", w.name+"2"
			} else {
				w.kind, w.name = "S", w.name+"2"
			}
			w.strategy = randomStrategy(random, w.kind)
			next.workloads = append(next.workloads, w)
		case 1: // it is gone
		case 2:
			next.workloads = append(next.workloads, w)
		case 3:
			if random.Intn(2) == 0 {
				next.workloads = append(next.workloads, editWorkload(random, w))
				continue
			}
			edited := editWorkload(random, w)
			refused = append(refused, w.name)
			next.workloads = append(next.workloads, edited)
		default:
			next.workloads = append(next.workloads, editWorkload(random, w))
		}
	}
	for _, s := range old.services {
		if random.Intn(2) == 0 {
			s = editService(random, s)
		}
		next.services = append(next.services, s)
	}
	if random.Intn(8) == 0 {
		next.services = append(next.services, randomService(random, "s3"))
	}
	prune := oneOf(random, "now", "now", "last", "no")
	if len(refused) > 0 {
		prune = "no" // no tool prunes then: kubectl, Helm and Pulumi stop before it
	}
	c := endpointCase{Old: old.rows(), New: next.rows(), Prune: prune, Refused: refused}
	c.Seen = playShop(old, next, c.Prune, refused)
	return c
}

func endpointChangeCases() []any {
	ignoreStaleness()
	setGate(maxUnavailableGate, false)
	var cases []any
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 36))))
	for len(cases) < recording.NumberOf("CASES", 2400) {
		// Most changes are of Services that have endpoints.
		if c := randomEndpointCase(random); c.hasEndpoints() || random.Intn(8) == 0 {
			cases = append(cases, c)
		}
	}
	return cases
}
