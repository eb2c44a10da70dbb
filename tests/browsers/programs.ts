import { findProgram, installDebianPackages } from '../../scripts/browser.ts'

/** Each program, by its names, with the package of Debian that brings it. */
const wanted = {
  firefox: { names: ['firefox-esr', 'firefox'], package: 'firefox-esr' },
  webKit: { names: ['WebKitWebDriver'], package: 'webkit2gtk-driver' },
  screen: { names: ['xvfb-run'], package: 'xvfb' },
  authority: { names: ['xauth'], package: 'xauth' },
}

/**
 * @returns the path of Firefox; WebKit is found by its driver
 * @throws with one line that says what to install, when a program is missing and Debian cannot bring it here
 */
export function findBrowsers(): { firefox: string } {
  const missing = () => Object.values(wanted).filter(({ names }) => !findProgram(names))
  if (missing().length > 0) installDebianPackages(missing().map(entry => entry.package))
  const firefox = findProgram(wanted.firefox.names)
  if (!firefox || missing().length > 0)
    throw new Error(
      `Install ${missing()
        .map(({ names }) => names[0])
        .join(', ')}, then run this again`,
    )
  return { firefox }
}
