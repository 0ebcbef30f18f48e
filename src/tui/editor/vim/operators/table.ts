/** Every operator by its keys. */
import { lowerOperator, rotateOperator, swapOperator, upperOperator } from "./case.ts"
import { changeOperator, deleteOperator, yankOperator } from "./delete.ts"
import { filterOperator } from "./filter.ts"
import { formatKeeping, formatOperator } from "./format.ts"
import type { Operator } from "./operator.ts"
import { indentOperator, shiftLeft, shiftRight } from "./shift.ts"

export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>(
  Object.entries({
    d: deleteOperator,
    c: changeOperator,
    y: yankOperator,
    ">": shiftRight,
    "<": shiftLeft,
    "=": indentOperator,
    "!": filterOperator,
    "g~": swapOperator,
    gu: lowerOperator,
    gU: upperOperator,
    "g?": rotateOperator,
    gq: formatOperator,
    gw: formatKeeping
  })
)
