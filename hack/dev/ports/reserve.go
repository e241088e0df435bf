package ports

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
)

// reserved holds the locks of this process. A lock ends with the file that is open.
var reserved struct {
	sync.Mutex
	files []*os.File
}

// reserve takes a port among all processes of a user that choose theirs with Free, until this process ends. A system starts
// to listen seconds after its ports are chosen, and another one must not choose them meanwhile.
func reserve(port int) error {
	folder := filepath.Join(os.TempDir(), "pressroom-ports-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(folder, strconv.Itoa(port)), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return fmt.Errorf("reserving port %d: %w", port, err)
	}
	reserved.Lock()
	defer reserved.Unlock()
	reserved.files = append(reserved.files, file)
	return nil
}
