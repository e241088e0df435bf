package shopify_test

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// execution resolves an operation that was validated. A value is a map by field, a list, a scalar, or a func of a field's arguments.
type execution struct {
	variables map[string]any
}

func (e execution) project(selections ast.SelectionSet, value any) any {
	switch value := value.(type) {
	case func(map[string]any) any:
		panic("a field with arguments is resolved with its field")
	case []any:
		result := []any{}
		for _, element := range value {
			result = append(result, e.project(selections, element))
		}
		return result
	case map[string]any:
		if value == nil {
			return nil
		}
		result := map[string]any{}
		e.fields(selections, value, result)
		return result
	default:
		return value
	}
}

func (e execution) fields(selections ast.SelectionSet, value, result map[string]any) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.FragmentSpread:
			e.fields(s.Definition.SelectionSet, value, result)
		case *ast.Field:
			resolved, ok := value[s.Name]
			if !ok {
				panic(fmt.Sprintf("the fake has no %s", s.Name))
			}
			if call, ok := resolved.(func(map[string]any) any); ok {
				resolved = call(s.ArgumentMap(e.variables))
			}
			projected := e.project(s.SelectionSet, resolved)
			if projected == nil && s.Definition.Type.NonNull {
				panic(fmt.Sprintf("%s may not be null", s.Name))
			}
			result[s.Alias] = projected
		default:
			panic(fmt.Sprintf("the fake does not know %T", selection))
		}
	}
}

// denied reports whether an operation needs a scope that is not granted.
func (e execution) denied(scopes []string, operation *ast.OperationDefinition) bool {
	return operation.Operation == ast.Mutation && !slices.Contains(scopes, "write_content")
}
