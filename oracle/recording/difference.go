package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// keys are the fields by which the items of a list are known.
var keys = []string{"name", "mountPath", "containerPort", "key"}

// Differences lists the paths at which two values differ as JSON. A missing value, an empty one and null are the same.
// An item of a list that only one side has is one difference, and so is a map.
func Differences(before, after any) []string {
	paths := []string{}
	compare(plain(before), plain(after), "", &paths)
	slices.Sort(paths)
	return paths
}

// DifferencesByName lists the paths at which objects of one name differ: `create` for one that only the later side has, and `delete` for one
// that only the earlier side has. Equal objects are left out.
func DifferencesByName[T any](before, after map[string]T) map[string][]string {
	out := map[string][]string{}
	for name, was := range before {
		if is, stays := after[name]; !stays {
			out[name] = []string{"delete"}
		} else if found := Differences(was, is); len(found) > 0 {
			out[name] = found
		}
	}
	for name := range after {
		if _, wasThere := before[name]; !wasThere {
			out[name] = []string{"create"}
		}
	}
	return out
}

func plain(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case map[string]any:
		for _, inner := range value {
			if !isEmpty(inner) {
				return false
			}
		}
		return true
	case []any:
		return len(value) == 0
	}
	return false
}

func compare(before, after any, path string, paths *[]string) {
	if isEmpty(before) && isEmpty(after) {
		return
	}
	a, b := entries(before), entries(after)
	if a == nil || b == nil {
		if fmt.Sprint(before) != fmt.Sprint(after) {
			*paths = append(*paths, path)
		}
		return
	}
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		compare(a[name], b[name], path+name, paths)
	}
}

// entries are the parts of a map or a list by the text that names them in a path.
func entries(value any) map[string]any {
	out := map[string]any{}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			out["."+name] = inner
		}
	case []any:
		for index, item := range value {
			out[fmt.Sprintf("[%v]", keyOf(item, index))] = item
		}
	default:
		return nil
	}
	return out
}

func keyOf(item any, index int) any {
	if fields, is := item.(map[string]any); is {
		for _, key := range keys {
			if value, has := fields[key]; has {
				return value
			}
		}
	}
	return index
}
