const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Characters that XML cannot contain. */
const invalidInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Text or an attribute of an XML document. Characters that it cannot contain become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(invalidInXml, '\uFFFD').replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
}
