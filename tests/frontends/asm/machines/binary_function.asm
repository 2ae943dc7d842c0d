// A function of two arguments.
asm binary_function
signature:
    domain Row subsetof Integer
    domain Column subsetof Integer
    controlled cell: Prod(Row, Column) -> Boolean
    monitored row: Row
    monitored column: Column
definitions:
    domain Row = {1 : 2}
    domain Column = {0 : 2}
    main rule r_Main =
        par
            cell(row, column) := true
            forall $c in Column with $c != column do cell(row, $c) := cell(row, $c) and not cell(row, column)
        endpar
default init s0:
    function cell($r in Row, $c in Column) = false
