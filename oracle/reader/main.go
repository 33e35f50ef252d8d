// Reads random texts with kubectl's reader and with ours, and prints where they differ.
//
//	go run . COUNT SEED [FOLDER...]
//
// FOLDERs hold manifests to begin with. Ours is ../../lib, so build first.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strconv"
)

// ours is the other reader, a process that answers line by line.
type ours struct {
	in  *bufio.Writer
	out *bufio.Reader
}

func startOurs() (*ours, error) {
	command := exec.Command("node", "read.js")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &ours{bufio.NewWriter(in), bufio.NewReaderSize(out, 1<<20)}, command.Start()
}

// ask reads many texts: the pipes hold enough of them.
func (o *ours) ask(texts []string) ([]reading, error) {
	for _, text := range texts {
		line, _ := json.Marshal(text)
		_, _ = o.in.Write(append(line, '\n'))
	}
	if err := o.in.Flush(); err != nil {
		return nil, err
	}
	answers := make([]reading, len(texts))
	for i := range texts {
		line, err := o.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(line, &answers[i]); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// sort says how two readings differ, if they do; what one of them cannot read is the other's to say.
func sortOf(theirs, ours reading) string {
	switch {
	case theirs.Error != "" && ours.Error != "":
		return ""
	case theirs.Error != "":
		return "kubectl refuses: " + theirs.Error
	case ours.Error != "":
		return "we refuse: " + ours.Error
	case !reflect.DeepEqual(theirs.Documents, ours.Documents):
		return "VALUES DIFFER"
	}
	return ""
}

// isSettled tells texts that kubectl reads in one way from those with two keys of one name, of which it takes either.
func isSettled(text string, first reading) bool {
	for range 8 {
		if !reflect.DeepEqual(readAsKubectl(text), first) {
			return false
		}
	}
	return true
}

func main() {
	if len(os.Args) < 3 {
		fmt.Println("usage: go run . COUNT SEED [FOLDER...]")
		os.Exit(2)
	}
	count, _ := strconv.Atoi(os.Args[1])
	seed, _ := strconv.ParseInt(os.Args[2], 10, 64)
	writer := newWriter(seed, os.Args[3:])
	reader, err := startOurs()
	if err != nil {
		panic(err)
	}
	sorts := map[string]int{}
	examples := map[string][]string{}
	read, same := 0, 0
	for done := 0; done < count; {
		texts := make([]string, 0, 50)
		for len(texts) < min(50, count-done) {
			texts = append(texts, writer.next())
		}
		answers, err := reader.ask(texts)
		if err != nil {
			panic(err)
		}
		for i, text := range texts {
			theirs := readAsKubectl(text)
			if theirs.Error == "" {
				read++
			}
			sort := sortOf(theirs, answers[i])
			if sort == "" || !isSettled(text, theirs) {
				same++
				continue
			}
			sorts[sort]++
			if len(examples[sort]) < 3 {
				examples[sort] = append(examples[sort], text)
			}
		}
		done += len(texts)
	}
	fmt.Printf("%d texts, %d of which kubectl reads; %d alike\n", count, read, same)
	for sort, number := range sorts {
		fmt.Printf("%6d  %s\n", number, sort)
		for _, text := range examples[sort] {
			fmt.Printf("          %q\n", text)
		}
	}
}
