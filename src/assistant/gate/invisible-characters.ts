/** Zero-width and direction characters, and the tag characters that spell hidden ASCII. */
const alwaysHidden =
  /[\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu

/** Joiners form emoji and letters of many scripts; after ASCII they can only hide something. */
const hiddenJoiner = /(?<=^|[\0-\u{7f}])[\u{200c}\u{200d}]+/gu

/** Nearly all text has none: one test for all of them. */
const suspicious = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\udb40]/

/** Removes characters that readers cannot see but models would read, which are used to smuggle instructions. */
export function stripInvisible(text: string): string {
  if (!suspicious.test(text)) return text
  return text.replace(alwaysHidden, '').replace(hiddenJoiner, '')
}
