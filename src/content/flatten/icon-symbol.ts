import { replaceOutsideSpans } from '../markdown/code-spans.ts'

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

const iconCode = /:(material|fontawesome|octicons|simple)-([a-z\d-]{1,100}):(?:\{[^{}\n]{0,200}\})?/g

/** The codes of emoji that documentation uses, as forges and generators read them. */
const emoji = new Map(
  `+1 👍 -1 👎 arrow_down ⬇️ arrow_right ➡️ arrow_up ⬆️ art 🎨 bell 🔔 blush 😊 book 📖 books 📚 boom 💥 bug 🐛 bulb 💡 calendar 📅 clap 👏
  clipboard 📋 computer 💻 construction 🚧 email 📧 exclamation ❗ eyes 👀 file_folder 📁 fire 🔥 gear ⚙️ gift 🎁 globe_with_meridians 🌐 grin 😁
  hammer 🔨 heart ❤️ hourglass ⌛ information_source ℹ️ joy 😂 key 🔑 label 🏷️ laughing 😆 link 🔗 lipstick 💄 lock 🔒 mag 🔍 mega 📣 memo 📝
  muscle 💪 octocat 🐙 ok_hand 👌 package 📦 page_facing_up 📄 pencil 📝 pencil2 ✏️ point_right 👉 pray 🙏 pushpin 📌 question ❓ raised_hands 🙌
  recycle ♻️ red_circle 🔴 rocket 🚀 rotating_light 🚨 see_no_evil 🙈 shield 🛡️ shrug 🤷 smile 😄 smiley 😃 sparkles ✨ speech_balloon 💬 star ⭐
  star2 🌟 stopwatch ⏱️ sunglasses 😎 sweat_smile 😅 tada 🎉 thinking 🤔 thumbsdown 👎 thumbsup 👍 triangular_flag_on_post 🚩 trophy 🏆 unlock 🔓
  warning ⚠️ wave 👋 wink 😉 wrench 🔧 zap ⚡`
    .trim()
    .split(/\s+/)
    .flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1] ?? ''] as const] : [])),
)
const emojiCode = /(?<![\w:]):([a-z\d_+-]{1,40}):(?![\w:])/g

/** Replaces icon codes such as `:material-check:` in a line by their symbol, or by nothing. Leaves code alone. Pure. */
export function replaceIconCodes(line: string): string {
  if (!/:(?:material|fontawesome|octicons|simple)-/.test(line)) return line
  return replaceOutsideSpans(line, iconCode, ([, , name = '']) => iconSymbol(name))
}

/** Replaces the codes of emoji, such as `:tada:`, in a line. Leaves code and unknown codes alone. Pure. */
export function replaceEmojiCodes(line: string): string {
  if (!/:[a-z\d_+-]+:/.test(line)) return line
  return replaceOutsideSpans(line, emojiCode, ([written, name = '']) => emoji.get(name) || iconSymbol(name) || written)
}
