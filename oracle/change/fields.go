package change

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// others are values that do for another, where a letter or one more would not.
var others = map[string]any{
	"dnsPolicy=ClusterFirst": "Default", "preemptionPolicy=Never": "PreemptLowerPriority", "supplementalGroupsPolicy=Merge": "Strict",
	"fsGroupChangePolicy=OnRootMismatch": "Always", "type=RuntimeDefault": "Unconfined",
	"imagePullPolicy=IfNotPresent": "Always", "terminationMessagePolicy=FallbackToLogsOnError": "File", "protocol=TCP": "UDP", "protocol=UDP": "SCTP",
	"mountPropagation=None": "HostToContainer", "recursiveReadOnly=IfPossible": "Disabled", "scheme=HTTP": "HTTPS", "scheme=HTTPS": "HTTP",
	"type=Directory": "DirectoryOrCreate", "whenUnsatisfiable=DoNotSchedule": "ScheduleAnyway", "whenUnsatisfiable=ScheduleAnyway": "DoNotSchedule",
	"nodeAffinityPolicy=Honor": "Ignore", "nodeTaintsPolicy=Ignore": "Honor", "restartPolicy=NotRequired": "RestartContainer",
	"restartPolicy=RestartContainer": "NotRequired", "cachingMode=None": "ReadOnly", "kind=Dedicated": "Shared", "storageMode=ThickProvisioned": "ThinProvisioned",
	"operator=In": "NotIn", "operator=NotIn": "In", "operator=Exists": "DoesNotExist", "volumeMode=Filesystem": "Block", "port=http": 8081,
	"fieldPath=spec.nodeName": "spec.serviceAccountName", "fieldPath=metadata.labels": "metadata.annotations", "fieldPath=metadata.name": "metadata.namespace",
	"resource=limits.cpu": "requests.cpu", "medium=Memory": "", "hostIP=127.0.0.1": "127.0.0.2", "ip=10.0.0.1": "10.0.0.3", "ip=10.0.0.2": "10.0.0.4",
	"divisor=1m": "1", "divisor=1": "1m", "effect=NoSchedule": "PreferNoSchedule", "local": "far", "iqn=iqn.2001-04.com.example:a": "iqn.2001-04.com.example:z",
	"whenDeleted=Delete": "Retain", "whenScaled=Retain": "Delete", "type=RollingUpdate": "OnDelete", "image=web:1": "web:2",
}

var quantity = regexp.MustCompile(`^([0-9]+)(m|Mi|Gi)?$`)
var isQuantity = regexp.MustCompile(`/(requests|limits|overhead|hard)/[^/]+$|/sizeLimit$`)
var addressLike = regexp.MustCompile(`^10\.0\.0\.[0-9]+`)

// another value of the same type.
func another(pointer string, value any) any {
	name := pointer[strings.LastIndex(pointer, "/")+1:]
	if other, known := others[fmt.Sprintf("%s=%v", name, value)]; known {
		return other
	}
	switch v := value.(type) {
	case bool:
		return !v
	case float64:
		return v + 1
	case string:
		if parts := quantity.FindStringSubmatch(v); parts != nil && isQuantity.MatchString(pointer) {
			number, _ := strconv.Atoi(parts[1])
			return strconv.Itoa(number+number/4+1) + parts[2]
		}
		if addressLike.MatchString(v) {
			return "10.0.0.77" + v[len(addressLike.FindString(v)):]
		}
		if number, err := strconv.Atoi(v); err == nil {
			return strconv.Itoa(number + 1)
		}
		return v + "x"
	}
	panic("no other value at " + pointer)
}

// everyField are the edits of each field below a value, one at a time: another value, left out, null, empty;
// lists turned round, without an item, with one more.
func everyField(value any, pointer string) []edit {
	switch v := value.(type) {
	case object:
		edits := []edit{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := pointer + "/" + escape.Replace(name)
			edits = append(edits, drop(at))
			switch v[name].(type) {
			case object, []any:
				edits = append(edits, set(at, nil))
			}
			edits = append(edits, everyField(v[name], at)...)
		}
		return edits
	case []any:
		return append(everyItem(v, pointer), set(pointer, []any{}))
	}
	return []edit{set(pointer, another(pointer, value))}
}

func everyItem(list []any, pointer string) []edit {
	edits := []edit{}
	for i, item := range list {
		edits = append(edits, everyField(item, pointer+"/"+strconv.Itoa(i))...)
	}
	if len(list) > 1 {
		turned := slices.Clone(list)
		slices.Reverse(turned)
		edits = append(edits, set(pointer, turned))
	}
	for i := range list {
		edits = append(edits, drop(pointer+"/"+strconv.Itoa(i)))
	}
	if more := oneMore(list); more != nil {
		edits = append(edits, set(pointer, append(slices.Clone(list), more)), set(pointer, append([]any{more}, list...)))
	}
	return edits
}

// keys name the items of lists that merge.
var keys = []string{"name", "containerPort", "mountPath", "devicePath", "ip", "topologyKey", "path", "key", "conditionType", "prefix"}

// oneMore is like the last item of a list, under another name.
func oneMore(list []any) any {
	if len(list) == 0 {
		return nil
	}
	last := clone(list[len(list)-1])
	fields, is := last.(object)
	if !is {
		return another("/-", last)
	}
	for _, key := range keys {
		if named, has := fields[key]; has {
			fields[key] = another("/"+key, named)
			return fields
		}
	}
	return nil
}
