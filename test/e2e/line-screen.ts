/**
 * A terminal's screen without end: replays what a program wrote and notices when it changes what it should leave alone.
 * A row is finished when a line break is written behind its text; from then on it may not be touched.
 */
const TOKEN = new RegExp(
  [
    String.raw`\u001b\[(?<parameters>[?\d;]*)(?<command>[A-Za-z])`,
    String.raw`\u001b\](?<osc>[^\u0007\u001b]*)(?:\u0007|\u001b\\)`,
    String.raw`(?<control>[\u0000-\u001f])`,
    String.raw`(?<text>[^\u0000-\u001f])`
  ].join("|"),
  "gu"
)

export interface Replay {
  /** Rows as they stand, without blanks at their ends. */
  readonly rows: ReadonlyArray<string>
  /** Changes of finished rows. */
  readonly violations: ReadonlyArray<string>
  readonly bells: number
  /** The OSC sequences, in order. */
  readonly marks: ReadonlyArray<string>
}

class Screen {
  readonly cells: Array<Array<string>> = [[]]
  readonly violations: Array<string> = []
  bells = 0
  readonly marks: Array<string> = []
  private row = 0
  private column = 0
  private finished = -1

  constructor(private readonly columns: number) {}

  write(character: string): void {
    if (this.column >= this.columns) this.go(this.row + 1, 0)
    this.touch(this.row, `wrote ${character}`)
    this.line(this.row)[this.column] = character
    this.column += 1
  }

  control(character: string): void {
    if (character === "\u0007") this.bells += 1
    if (character === "\r") this.column = 0
    if (character === "\b") this.column = Math.max(0, this.column - 1)
    if (character !== "\n") return
    if (this.line(this.row).length > 0) this.finished = Math.max(this.finished, this.row)
    this.go(this.row + 1, this.column)
  }

  command(command: string, parameters: string): void {
    const count = Number(parameters.replace(/^\?/, "") || "1")
    switch (command) {
      case "A":
        return this.go(Math.max(0, this.row - count), this.column)
      case "B":
        return this.go(this.row + count, this.column)
      case "C":
        return this.go(this.row, this.column + count)
      case "D":
        return this.go(this.row, Math.max(0, this.column - count))
      case "G":
        return this.go(this.row, count - 1)
      case "J":
        return this.erase(this.row, this.cells.length)
      case "K":
        return this.erase(this.row, this.row + 1)
      case "h":
      case "l":
        return
      default:
        this.violations.push(`sent CSI ${parameters}${command}`)
    }
  }

  private erase(from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      const line = this.line(row)
      const kept = row === from ? this.column : 0
      if (line.length > kept) this.touch(row, "erased")
      line.length = Math.min(line.length, kept)
    }
  }

  private touch(row: number, what: string): void {
    if (row <= this.finished) this.violations.push(`${what} in row ${row}: ${this.line(row).join("")}`)
  }

  private line(row: number): Array<string> {
    while (this.cells.length <= row) this.cells.push([])
    return this.cells[row] ?? []
  }

  private go(row: number, column: number): void {
    this.row = row
    this.column = column
  }
}

const shown = (cells: ReadonlyArray<string | undefined>): string =>
  Array.from(cells, (cell) => cell ?? " ")
    .join("")
    .trimEnd()

export const replay = (output: string, columns: number): Replay => {
  const screen = new Screen(columns)
  for (const { groups = {} } of output.matchAll(TOKEN)) {
    const { command, control, osc, parameters, text } = groups
    if (text !== undefined) screen.write(text)
    if (control !== undefined) screen.control(control)
    if (command !== undefined) screen.command(command, parameters ?? "")
    if (osc !== undefined) screen.marks.push(osc)
  }
  return { rows: screen.cells.map(shown), violations: screen.violations, bells: screen.bells, marks: screen.marks }
}
