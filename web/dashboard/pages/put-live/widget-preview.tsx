import { useEffect, useRef, useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { WidgetSettings } from '../../../../src/contract/widget-settings.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { fillPreview, updatePreview } from './preview-frame.ts'
import classes from './put-live.module.css'
import { say } from '../../../words/say.ts'

/** Width of the page that is shown smaller, in pixels. */
const pageWidth = 1_080
const pageHeight = 760

const themes = [
  { value: '', label: say('As the system') },
  { value: 'light', label: say('Light') },
  { value: 'dark', label: say('Dark') },
] as const

/** The widget itself on a page that looks like documentation, with the settings as they are being edited. */
export function WidgetPreview({ site, settings }: { site: SiteResource; settings: WidgetSettings }) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isFilled, setFilled] = useState(false)
  const [theme, setTheme] = useState('')
  useFittedFrame(box, frame)
  useEffect(() => {
    const page = frame.current?.contentWindow
    if (isFilled && page != null) updatePreview(page, settings, theme)
  }, [isFilled, settings, theme])
  return (
    <section aria-label={say('Preview')} className={classes.preview}>
      <div className={classes.previewHead}>
        <p>{say('The real widget, on a page with your titles. Try it.')}</p>
        <SelectField label={say('Page theme')} options={themes} value={theme} onValueChange={setTheme} />
      </div>
      <div ref={box} className={classes.box}>
        <iframe
          ref={frame}
          title={say('Page with the widget')}
          src="/widget/preview"
          onLoad={({ currentTarget: { contentWindow } }) => {
            if (contentWindow === null) return
            void fillPreview(contentWindow, site)
            setFilled(true)
          }}
        />
      </div>
    </section>
  )
}

/** Scales a desktop page down to fit, and shows a phone page at its own size. */
function useFittedFrame(
  box: React.RefObject<HTMLDivElement | null>,
  frame: React.RefObject<HTMLIFrameElement | null>,
): void {
  useEffect(() => {
    const [outer, inner] = [box.current, frame.current]
    if (outer === null || inner === null) return
    const fit = () => {
      const width = outer.clientWidth < 480 ? outer.clientWidth : Math.max(pageWidth, outer.clientWidth)
      const scale = outer.clientWidth / width
      inner.style.width = `${width}px`
      inner.style.height = `${pageHeight}px`
      inner.style.transform = `scale(${scale})`
      outer.style.height = `${pageHeight * scale}px`
    }
    const observer = new ResizeObserver(fit)
    observer.observe(outer)
    return () => observer.disconnect()
  }, [box, frame])
}
