import { expect, it } from "vitest"
import { screenSvg } from "../../scripts/screenshot.ts"
import { screenshotScreen } from "../../scripts/screenshot-session.ts"

/** The picture in the README is what the interface draws today; `-u` draws it again. */
it("has a screenshot that is true", async () => {
  await expect(screenSvg(screenshotScreen(), "A session in Nacre")).toMatchFileSnapshot("../../docs/screenshot.svg")
})
