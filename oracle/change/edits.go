package change

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An edit sets what stands at a JSON pointer: [pointer, value]; [pointer] alone removes it.
type edit []any

func set(pointer string, value any) edit { return edit{pointer, value} }
func drop(pointer string) edit           { return edit{pointer} }

var unescape = strings.NewReplacer("~1", "/", "~0", "~")
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// clone goes by JSON, so that every number is a float64 and every map an object.
func clone(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var copied any
	if err := json.Unmarshal(text, &copied); err != nil {
		panic(err)
	}
	return copied
}

// edited is the object with the edits made in their order.
func edited(o object, edits []edit) object {
	var made any = clone(o)
	for _, e := range edits {
		parts := strings.Split(e[0].(string), "/")[1:]
		made = editedAt(made, parts, e)
	}
	return made.(object)
}

func editedAt(value any, parts []string, e edit) any {
	name := unescape.Replace(parts[0])
	if list, is := value.([]any); is {
		return editedList(list, name, parts, e)
	}
	fields, is := value.(object)
	if !is {
		fields = object{}
	}
	if len(parts) > 1 {
		fields[name] = editedAt(fields[name], parts[1:], e)
	} else if len(e) == 1 {
		delete(fields, name)
	} else {
		fields[name] = clone(e[1])
	}
	return fields
}

func editedList(list []any, name string, parts []string, e edit) any {
	if name == "-" {
		return append(list, clone(e[1]))
	}
	index, err := strconv.Atoi(name)
	if err != nil || index >= len(list) {
		panic("no item " + e[0].(string))
	}
	if len(parts) > 1 {
		list[index] = editedAt(list[index], parts[1:], e)
		return list
	}
	if len(e) == 1 {
		return slices.Delete(slices.Clone(list), index, index+1)
	}
	list[index] = clone(e[1])
	return list
}

// between are the edits that make of one value the other. Lists of another length are set whole.
func between(from, to any) []edit {
	return addBetween([]edit{}, "", from, to)
}

func addBetween(found []edit, pointer string, from, to any) []edit {
	if reflect.DeepEqual(from, to) {
		return found
	}
	if a, is := from.(object); is {
		if b, is := to.(object); is {
			return addBetweenMaps(found, pointer, a, b)
		}
	}
	a, isList := from.([]any)
	b, isSecond := to.([]any)
	if isList && isSecond && len(a) == len(b) {
		for i := range a {
			found = addBetween(found, pointer+"/"+strconv.Itoa(i), a[i], b[i])
		}
		return found
	}
	return append(found, set(pointer, to))
}

func addBetweenMaps(found []edit, pointer string, from, to object) []edit {
	names := maps.Clone(from)
	maps.Copy(names, to)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		at := pointer + "/" + escape.Replace(name)
		was, before := from[name]
		is, after := to[name]
		switch {
		case !after:
			found = append(found, drop(at))
		case !before:
			found = append(found, set(at, is))
		default:
			found = addBetween(found, at, was, is)
		}
	}
	return found
}
