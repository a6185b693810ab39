/**
 * What a property of a component is to its reader.
 *
 * - `title`, `text`, `link`, `code`: shown, as what it is.
 * - `detail`: shown in records; on a component itself often only an option.
 * - `flag`: shown by its name where it is true.
 * - `look`: never shown.
 * - `other`: shown if the value is words or structured data.
 */
export type PropertyKind = 'title' | 'text' | 'link' | 'code' | 'flag' | 'detail' | 'look' | 'other'

const names: Readonly<Record<Exclude<PropertyKind, 'other'>, string>> = {
  title: 'title heading name label question term header headline',
  text:
    'subtitle description text caption content body summary answer message quote quotes author authors details ' +
    'definition hint tip note notes alt badge tag tags package packages version since subheading ' +
    'example examples cta alttext',
  detail: 'type types value values default defaultvalue signature returns placeholder items prompt',
  link: 'href link url to github homepage',
  code: 'code snippet command commands source chart json yaml script template',
  flag: 'required optional isrequired isoptional deprecated isdeprecated experimental isexperimental nullable readonly',
  look:
    'align allow allowfullscreen anchor animation appearance as aspectratio autoplay avatar background bg border ' +
    'breakpoint children class classes classname color cols columns controls d dangerouslysetinnerhtml decoding defer delay dir ' +
    'element fill fit font frameborder gap height horizontal icon iconlibrary iconposition icontype id ' +
    'image images img inset is justify key lang layout lines loading locale loop margin maxwidth meta ' +
    'muted numbered opacity orientation padding persist picture placement playsinline ' +
    'poster preview previews rel rounded scroll shadow shape sizes slot spacing src srcset stroke ' +
    'style synckey tabindex theme thumbnail tone transform transition usemap variant video viewbox width wrap zindex zoom',
}

const kinds: ReadonlyMap<string, PropertyKind> = new Map(
  // The kinds are the keys of the record above.
  (Object.keys(names) as (keyof typeof names)[]).flatMap((kind) => names[kind].split(' ').map((name) => [name, kind])),
)

const lookingName =
  /^(?:on[A-Z]|data-|aria-|[a-z]+:|v-|[:@#_])|(?:Class|ClassName|Color|Icon|Id|Image|Size|Src|Style|Url|Width|Height)$/

/** Decides by the name of a property. Pure. */
export function propertyKind(name: string): PropertyKind {
  if (lookingName.test(name)) return 'look'
  return kinds.get(name.toLowerCase()) ?? 'other'
}

const lookingValue =
  /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([^()]*\)|-?[\d.]+(?:px|r?em|%|v[hw]|ms|s|fr)|var\(--[\w-]+\)|\S*\.(?:png|jpe?g|svg|webp|gif|avif|ico|mp4|webm|mov)(?:[?#]\S*)?)$/i

/** Whether a text is a color, a length or the address of an image rather than words. Pure. */
export function isLook(text: string): boolean {
  return text.length < 500 && lookingValue.test(text.trim())
}

/** Scripts that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/u
const charsReadMax = 500

/** Whether a text is a phrase rather than a name or an option such as `primary`. Pure. */
export function isPhrase(text: string): boolean {
  const start = text.slice(0, charsReadMax)
  return unspaced.test(start) || start.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length > 1
}
