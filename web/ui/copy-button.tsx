import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps, IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'
import { showToast } from './toasts.tsx'

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
    if (isDone) showToast({ title: `Copied the ${what}.` })
    else
      showToast({
        title: `The browser does not allow copying. Select and copy the ${what} manually.`,
        tone: 'danger',
      })
  }
  const picture = isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />
  const onClick = () => void copy()
  if (!hasText) {
    return (
      <IconButton size="small" label={`Copy ${what}`} look={look ?? 'quiet'} onClick={onClick}>
        {picture}
      </IconButton>
    )
  }
  return (
    <Button size="small" look={look} aria-label={`Copy ${what}`} onClick={onClick}>
      {picture} {isCopied ? 'Copied' : 'Copy'}
    </Button>
  )
}
