/** @jsxImportSource preact */

/** Outlines on a grid of 16. */
const outlines = {
  ask: 'M3.5 3h9A1.5 1.5 0 0 1 14 4.5v5a1.5 1.5 0 0 1-1.5 1.5h-4L5 13.5V11H3.5A1.5 1.5 0 0 1 2 9.5v-5A1.5 1.5 0 0 1 3.5 3z',
  search: 'M11.3 7.1a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM10.2 10.2l3.2 3.2',
  close: 'm4 4 8 8M12 4l-8 8',
  page: 'M4 2.5h5.2L12 5.3v8.2H4zM9 2.7v2.8h2.8',
  section: 'M6.3 2.8 5 13.2M11 2.8 9.7 13.2M3 6h10.2M2.8 10H13',
  new: 'M3 13v-2.6L10.6 2.8l2.6 2.6L5.6 13z',
  send: 'M8 13V3.6M4 7.4l4-4 4 4',
  stop: 'M5 5h6v6H5z',
  up: 'M5.5 7.2 8 2.6c1.1 0 1.7.8 1.5 1.8l-.4 2.1h2.7c.9 0 1.5.8 1.3 1.7l-.9 3.6c-.2.7-.7 1.2-1.4 1.2H5.5zm0 0H3V13h2.5',
  down: 'M10.5 8.8 8 13.4c-1.1 0-1.7-.8-1.5-1.8l.4-2.1H4.2c-.9 0-1.5-.8-1.3-1.7l.9-3.6C4 3.5 4.5 3 5.2 3h5.3zm0 0H13V3h-2.5',
  copy: 'M7 5.5h5A1.5 1.5 0 0 1 13.5 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5zm3.5 0V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5',
  again: 'M3 7.2a5 5 0 0 1 9.2-1.8M13 8.8a5 5 0 0 1-9.2 1.8M12.4 2.4v3h-3M3.6 13.6v-3h3',
  expand: 'M4.5 6.4 8 9.9l3.5-3.5',
  link: 'M6.8 9.2a2.4 2.4 0 0 0 3.4 0l2.4-2.4a2.4 2.4 0 0 0-3.4-3.4l-.8.8M9.2 6.8a2.4 2.4 0 0 0-3.4 0L3.4 9.2a2.4 2.4 0 0 0 3.4 3.4l.8-.8',
  history: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 5v3.2l2 1.4',
  mail: 'M2.5 4h11v8h-11zM2.7 4.3 8 8.7l5.3-4.4',
} as const

export type IconName = keyof typeof outlines

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={outlines[name]} />
    </svg>
  )
}

interface IconButtonProps {
  icon: IconName
  label: string
  isPressed?: boolean
  isSmall?: boolean
  isDisabled?: boolean
  isExpanded?: boolean
  onClick: () => void
}

export function IconButton({ icon, label, isPressed, isSmall, isDisabled, isExpanded, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`btn quiet icon${isSmall ? ' s' : ''}`}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
