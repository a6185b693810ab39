/** @jsxImportSource preact */
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A view whose code is loaded when it is first shown. Where that fails, nothing is shown. */
export function lazyView<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null
  return (props: Props) => {
    const [View, setView] = useState(() => loaded)
    useEffect(() => {
      if (View !== null) return
      const show = (found: FunctionComponent<Props>) => {
        loaded = found
        setView(() => found)
      }
      load().then(show, () => {})
    }, [])
    return View === null ? null : <View {...props} />
  }
}
