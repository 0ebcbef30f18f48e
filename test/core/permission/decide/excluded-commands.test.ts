import { describe, expect, it } from "vitest"
import { isExcluded } from "../../../../src/core/permission/decide/excluded-commands.ts"

describe("commands that run outside by setting", () => {
  it.each([
    ["docker ps", ["docker *"], true],
    ["docker", ["docker *"], true],
    ["docker ps", ["docker:*"], true],
    ["dockerd", ["docker:*"], false],
    ["docker ps && docker images", ["docker *"], true],
    ["docker ps && curl x", ["docker *"], false],
    ["docker ps | sh", ["docker *"], false],
    ["A=1 timeout 5 docker ps", ["docker *"], true],
    ["nohup time docker ps", ["docker *"], true],
    ["PATH=/evil docker ps", ["docker *"], false],
    ["LD_PRELOAD=x docker ps", ["docker *"], false],
    ["A=1 BASH_ENV=x docker ps", ["docker *"], false],
    ["docker $(evil)", ["docker *"], false],
    ["docker `evil`", ["docker *"], false],
    ["make test", ["make test"], true],
    ["make test all", ["make test"], false],
    ["make test", [], false],
    ["", ["*"], false]
  ] as const)("%j with %j: %s", (command, patterns, excluded) => {
    expect(isExcluded(command, patterns)).toBe(excluded)
  })
})
