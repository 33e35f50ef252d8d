package main

import (
	_ "unsafe" // for go:linkname

	_ "github.com/kserve/kserve/pkg/controller/v1beta1/inferenceservice/components"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

const aboutNodes = "Nodes of a multinode predictor by KServe's computeRayNodeAndGPUs: `total` is pipelineParallelSize x tensorParallelSize, `head` and `worker` the GPUs that their containers ask for (0: none); " +
	"`nodes` counts the head too, `headGpus` and `workerGpus` are what each then gets; or `error`."

//go:linkname computeRayNodeAndGPUs github.com/kserve/kserve/pkg/controller/v1beta1/inferenceservice/components.computeRayNodeAndGPUs
func computeRayNodeAndGPUs(worker *corev1.PodSpec, total int, head *corev1.PodSpec) (nodes, workerGPUs, headGPUs int, err error)

type nodeCase struct {
	Total      int    `json:"total"`
	Head       int    `json:"head"`
	Worker     int    `json:"worker"`
	Nodes      int    `json:"nodes,omitempty"`
	HeadGpus   int    `json:"headGpus"`
	WorkerGpus int    `json:"workerGpus"`
	Error      string `json:"error,omitempty"`
}

func podWith(gpus int) *corev1.PodSpec {
	container := corev1.Container{}
	if gpus > 0 {
		quantity := *resource.NewQuantity(int64(gpus), resource.DecimalSI)
		container.Resources = corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"nvidia.com/gpu": quantity}, Limits: corev1.ResourceList{"nvidia.com/gpu": quantity},
		}
	}
	return &corev1.PodSpec{Containers: []corev1.Container{container}}
}

func nodeCases() []any {
	var cases []any
	for _, total := range []int{1, 2, 3, 4, 6, 8, 12, 16, 17} {
		for _, head := range []int{0, 1, 2, 3, 4, 8, 20} {
			for _, worker := range []int{0, 1, 2, 3, 4, 8, 20} {
				c := nodeCase{Total: total, Head: head, Worker: worker}
				nodes, workerGPUs, headGPUs, err := computeRayNodeAndGPUs(podWith(worker), total, podWith(head))
				if err != nil {
					c.Error = err.Error()
				} else {
					c.Nodes, c.WorkerGpus, c.HeadGpus = nodes, workerGPUs, headGPUs
				}
				cases = append(cases, c)
			}
		}
	}
	return cases
}
