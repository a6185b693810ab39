import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps, IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'
import { showToast } from './toasts.tsx'
import { say } from '../words/say.ts'

const thanksMs = 2_000

export interface CopyButtonProps {
  text: string
  /** What is copied, such as `project ID`; announced as “Copy project ID”. */
  what: string
  /** Shows the word Copy beside the icon. */
  hasText?: boolean
  look?: ButtonProps['look']
}

export function CopyButton({ text, what, hasText = false, look }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), thanksMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    const isDone = await copyText(text)
    setCopied(isDone)
    if (isDone) showToast({ title: say('Copied the {what}.', { what }) })
    else
      showToast({
        title: say('The browser does not allow copying. Select and copy the {what} manually.', { what }),
        tone: 'danger',
      })
  }
  const picture = isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />
  const onClick = () => void copy()
  if (!hasText) {
    return (
      <IconButton size="small" label={say('Copy {what}', { what })} look={look ?? 'quiet'} onClick={onClick}>
        {picture}
      </IconButton>
    )
  }
  return (
    <Button size="small" look={look} aria-label={say('Copy {what}', { what })} onClick={onClick}>
      {picture} {isCopied ? say('Copied') : say('Copy')}
    </Button>
  )
}
