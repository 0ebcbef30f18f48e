import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { redactText } from "../../../../src/core/domain/secrets/redact.ts"
import { serialise } from "../../../../src/core/session/transcript/serialise.ts"
import { Maker } from "../../../support/session/build.ts"
import { anyText } from "../../../support/session/histories.ts"

/** Invented, and put together here so that no scanner takes them for real. */
const joined = (...parts: ReadonlyArray<string>): string => parts.join("")
const KEY_NAME = joined("RSA PRI", "VATE KEY")
const SECRETS: Readonly<Record<string, string>> = {
  "anthropic-key": joined("sk-", "ant-api03-", "Ab1_".repeat(10)),
  "github-token": joined("gh", "p_", "a1B2".repeat(9)),
  "aws-key": joined("AK", "IA", "ABCD2345".repeat(2)),
  "google-key": joined("AI", "za", "Sy-12".repeat(7)),
  "slack-token": joined("xo", "xb-", "123456789012-abcdef"),
  "npm-token": joined("np", "m_", "Zx9y".repeat(9)),
  "openai-key": joined("sk", "-", "aB3".repeat(16)),
  "gitlab-token": joined("gl", "pat-", "x-9_".repeat(5)),
  "stripe-key": joined("sk_", "live_", "a1".repeat(12)),
  "pypi-token": joined("py", "pi-AgE", "Ab-_".repeat(13)),
  "huggingface-token": joined("h", "f_", "aB3".repeat(10)),
  "digitalocean-token": joined("dop", "_v1_", "0a".repeat(32)),
  "sendgrid-key": joined("S", "G.", "a_b-".repeat(4), ".", "c1".repeat(15)),
  "shopify-token": joined("shp", "at_", "0f".repeat(16)),
  "vault-token": joined("hv", "s.", "aB3_".repeat(6)),
  jwt: joined("ey", "J", "hbGci".repeat(3), ".ey", "J", "zdWI".repeat(3), ".", "sig_".repeat(4)),
  "private-key": `-----BEGIN ${KEY_NAME}-----\nMIIB\n-----END ${KEY_NAME}-----`
}
const none = { secrets: [] }
const maker = new Maker()
const caller = maker.calls("m", "c")

describe("redaction", () => {
  it("replaces each kind of secret by its name", () => {
    for (const [kind, secret] of Object.entries(SECRETS)) {
      expect(redactText(`key = ${secret} # end`, none)).toBe(`key = [redacted:${kind}] # end`)
    }
  })

  it("finds one wherever it stands, and finds nothing more the second time", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(SECRETS)), anyText(), anyText(), (secret, before, after) => {
        const once = redactText(`${before} ${secret}\n${after}`, none)
        expect(once).not.toContain(secret)
        expect(once).toContain("[redacted:")
        expect(redactText(once, none)).toBe(once)
      })
    )
  })

  it("cuts a private key that lost its end", () => {
    const cut = (SECRETS["private-key"] ?? "").slice(0, 40)
    expect(redactText(`a ${cut}`, none)).toBe("a [redacted:private-key]")
  })

  it("reaches the result the model saw and the structured copy", () => {
    for (const secret of Object.values(SECRETS)) {
      const result = { ...maker.result(caller, "c", `TOKEN=${secret}`), toolUseResult: { stdout: [`TOKEN=${secret}`] } }
      const line = serialise({ ...result }, none)
      expect(line).not.toContain(JSON.stringify(secret).slice(1, -1))
      const shown = { content: expect.stringContaining("[redacted:") }
      expect(JSON.parse(line)).toMatchObject({ message: { content: [shown] } })
    }
  })

  it("reaches shell output and the program's own credentials", () => {
    const secrets = ['my "own" secret']
    const line = serialise({ ...maker.prompt('<bash-stdout>my "own" secret</bash-stdout>') }, { secrets })
    expect(line).toContain("[redacted:credential]")
  })

  it("never touches what a human wrote or the model said", () => {
    const secret = SECRETS["github-token"] ?? ""
    expect(serialise({ ...maker.prompt(`use ${secret}`) }, none)).toContain(secret)
    expect(serialise({ ...maker.says("m", secret) }, none)).toContain(secret)
  })

  it("can be turned off", () => {
    const secret = SECRETS["aws-key"] ?? ""
    expect(serialise({ ...maker.result(caller, "c", secret) }, null)).toContain(secret)
  })

  it("leaves ordinary output alone", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(redactText(text, none)).toBe(text)
      })
    )
    const alike = ["sk-ant-", "npm_install", "task AKIA", "BEGIN PUBLIC KEY", "ghp_short"]
    expect(alike.map((text) => redactText(text, none))).toEqual(alike)
  })
})

describe("a line too long for a reader", () => {
  it("loses the structured copy first and then the middle of long texts", () => {
    const huge = "x".repeat(23 * 1024 * 1024)
    const spilled = JSON.parse(serialise({ ...maker.result(caller, "c", "short"), toolUseResult: huge }, null))
    expect(spilled).toMatchObject({ message: { content: [{ content: "short" }] } })
    expect("toolUseResult" in spilled).toBe(false)
    expect(serialise({ ...maker.result(caller, "c", huge) }, null).length).toBeLessThan(1024 * 1024)
  })
})
