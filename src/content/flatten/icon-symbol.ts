const yes = new Set('accept check checkmark done ok success tick true yes'.split(' '))
const no = new Set('cancel cross crossmark fail false no times x xmark'.split(' '))
/** Words that say how an icon is drawn. */
const drawing = new Set(
  'alt badge bold box brands bs button circle circled duotone fa far fas fi filled fill heavy hi i icon light line lucide mark md outline outlined regular ri rounded sharp solid square svg tabler thin white'.split(
    ' ',
  ),
)

/** The symbol of a check or cross, by the name of its icon or component: `CircleCheckIcon` → `✓`. Else empty. Pure. */
export function iconSymbol(name: string): string {
  const words = name
    .replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$& ')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && !drawing.has(word))
  if (words.length !== 1 || words[0] === undefined) return ''
  return yes.has(words[0]) ? '✓' : no.has(words[0]) ? '✗' : ''
}

const iconCode =
  /(`+)(?:(?!\1)[^\n])*\1|:(material|fontawesome|octicons|simple)-([a-z\d-]{1,100}):(?:\{[^{}\n]{0,200}\})?/g

/** Replaces icon codes such as `:material-check:` in a line by their symbol, or by nothing. Leaves code alone. Pure. */
export function replaceIconCodes(line: string): string {
  if (!/:(?:material|fontawesome|octicons|simple)-/.test(line)) return line
  return line.replace(iconCode, (written, code: string | undefined, _set: string, name: string) =>
    code === undefined ? iconSymbol(name) : written,
  )
}
