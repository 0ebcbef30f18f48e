import { describe, expect, it } from "vitest"
import { proxyFor } from "../../../../src/core/domain/net/proxy-choice.ts"

const API = "https://api.example.com"
const through = (proxy: string) => ({ _tag: "Through", proxy })
const DIRECT = { _tag: "Direct" }

describe("the proxy of a request", () => {
  it.each([
    [{}, API, DIRECT],
    [{ HTTPS_PROXY: "" }, API, DIRECT],
    [{ HTTPS_PROXY: "http://p:8080" }, API, through("http://p:8080/")],
    [{ https_proxy: "p:8080" }, API, through("http://p:8080/")],
    [{ HTTPS_PROXY: "http://a", https_proxy: "http://b" }, API, through("http://a/")],
    [{ HTTP_PROXY: "http://p" }, API, DIRECT],
    [{ HTTP_PROXY: "http://p" }, "http://host:1/path", through("http://p/")],
    [{ HTTPS_PROXY: "http://p" }, "http://host:1/path", DIRECT],
    [{ ALL_PROXY: "https://u:w@p" }, API, through("https://u:w@p/")],
    [{ ALL_PROXY: "http://a", HTTPS_PROXY: "http://b" }, API, through("http://b/")],
    [
      { ALL_PROXY: "socks5://p:1" },
      API,
      { _tag: "Unusable", variable: "ALL_PROXY", why: "there is no way through a socks5 proxy" }
    ],
    [{ https_proxy: "http://" }, API, { _tag: "Unusable", variable: "https_proxy", why: "it is not an address" }]
  ])("with %j for %s", (env, url, expected) => expect(proxyFor(env, url)).toEqual(expected))

  it.each([
    ["*", API, true],
    ["api.example.com", API, true],
    ["API.Example.com", API, true],
    ["example.com", API, true],
    [".example.com", API, true],
    ["*.example.com", API, true],
    ["other.org, example.com", API, true],
    ["other.org example.com", API, true],
    ["api.example.com:443", API, true],
    ["api.example.com:80", API, false],
    ["ample.com", API, false],
    ["example.com.evil", API, false],
    ["127.0.0.1", "https://127.0.0.1:8443", true],
    ["127.0.0.1:8443", "https://127.0.0.1:8443", true],
    ["127.0.0.1:1", "https://127.0.0.1:8443", false],
    ["::1", "https://[::1]:8443", true],
    ["[::1]", "https://[::1]:8443", true],
    ["", API, false]
  ])("NO_PROXY=%s leaves %s out: %s", (exempt, url, isLeftOut) =>
    expect(proxyFor({ HTTPS_PROXY: "http://p", no_proxy: exempt }, url)._tag).toBe(isLeftOut ? "Direct" : "Through")
  )
})
