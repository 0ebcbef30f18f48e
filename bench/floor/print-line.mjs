import { stdout } from "node:process"

/** The least that any program written for Node costs. */
stdout.write("floor\n")
