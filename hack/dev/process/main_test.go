package process_test

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// The test binary plays the processes that are started, by the role that it is given in this variable.
const roleVariable = "PRESSROOM_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "polite":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		ready()
		<-stop
		fmt.Println("bye")
	case "racy":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		ready()
		<-stop
		os.Exit(66)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		never := make(chan os.Signal, 1)
		signal.Notify(never, syscall.SIGUSR1)
		ready()
		<-never
	case "broken":
		fmt.Println("first line\nthe data folder is on fire")
		os.Exit(3)
	case "parent":
		parent()
	}
}

// ready tells the test that the signals are taken care of.
func ready() {
	if err := os.WriteFile(os.Getenv("PRESSROOM_TEST_READY"), nil, 0o600); err != nil {
		panic(err)
	}
}

// parent starts a child and waits to be killed.
func parent() {
	group := process.NewGroup(os.Getenv("PRESSROOM_TEST_RECORDS"))
	_, err := group.Start(process.Command{
		Name: "child",
		Path: os.Args[0],
		Env:  []string{roleVariable + "=stubborn"},
		Log:  os.Getenv("PRESSROOM_TEST_RECORDS") + "/child.log",
	})
	if err != nil {
		panic(err)
	}
	select {}
}
