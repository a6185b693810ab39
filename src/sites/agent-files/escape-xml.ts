const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text or an attribute of an XML document, without the characters that XML cannot contain. */
export function escapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what XML forbids
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"']/g, (mark) => entities[mark] ?? '')
}
