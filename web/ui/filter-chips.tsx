import { ChevronDown, Plus, Search, X } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import classes from './filter-chips.module.css'
import { joinClasses } from './join-classes.ts'
import { Menu, MenuChoices, MenuItem } from './menu.tsx'
import { Submenu } from './submenu.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { say } from '../words/say.ts'

export interface ChipFilter {
  label: string
  /** Empty if it filters nothing. */
  value: string
  /** Undefined for free text, which is applied on Enter. */
  choices?: readonly { value: string; label: string }[] | undefined
  /** Shown always. If a choice has an empty value, it can be removed nevertheless. */
  isFixed?: boolean
  /** Type of a free-text field. */
  type?: 'date'
  placeholder?: string
  charsMax?: number
  onValueChange(value: string): void
}

/** Filters on one line, which scrolls where it is too long: what is set, and a menu of the others. */
export function FilterChips({ label, filters }: { label: string; filters: readonly ChipFilter[] }) {
  const [written, setWritten] = useState<string | null>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const isShown = ({ isFixed, value, label }: ChipFilter) => isFixed === true || value !== '' || label === written
  const hidden = filters.filter((filter) => !isShown(filter))
  const end = () => {
    setWritten(null)
    adder.current?.focus()
  }
  return (
    <div className={classes.chips} role="group" aria-label={label}>
      {filters.filter(isShown).map((filter) => {
        if (filter.choices !== undefined) return <ChoiceChip key={filter.label} filter={filter} />
        if (filter.isFixed === true) return <TextChip key={filter.label} filter={filter} />
        if (filter.label === written) return <TextChip key={filter.label} filter={filter} onEnd={end} />
        return <SetChip key={filter.label} filter={filter} onWrite={() => setWritten(filter.label)} />
      })}
      {hidden.length === 0 ? null : (
        <Menu
          align="start"
          keepsFocus={written !== null}
          trigger={
            <button ref={adder} type="button" className={joinClasses(classes.chip, classes.add)}>
              <Plus size={14} aria-hidden /> {say('Filter')}
            </button>
          }
        >
          {hidden.map((filter) => (
            <HiddenFilter key={filter.label} filter={filter} onWrite={() => setWritten(filter.label)} />
          ))}
        </Menu>
      )}
    </div>
  )
}

function HiddenFilter({ filter, onWrite }: { filter: ChipFilter; onWrite(): void }) {
  const { label, choices, value, onValueChange } = filter
  if (choices === undefined) return <MenuItem onSelect={onWrite}>{label}</MenuItem>
  return (
    <Submenu label={label}>
      <MenuChoices label={label} hasLabel={false} value={value} choices={choices} onValueChange={onValueChange} />
    </Submenu>
  )
}

function ChoiceChip({ filter }: { filter: ChipFilter }) {
  const { label, value, choices = [], isFixed = false, onValueChange } = filter
  const name = choices.find((choice) => choice.value === value)?.label ?? value
  const isSet = value !== '' && (!isFixed || choices.some((choice) => choice.value === ''))
  return (
    <span className={joinClasses(classes.chip, isSet && classes.set)}>
      <Menu
        align="start"
        trigger={
          <button type="button" className={classes.value}>
            {label} <b>{name}</b> {isSet ? null : <ChevronDown size={14} aria-hidden />}
          </button>
        }
      >
        <MenuChoices label={label} value={value} choices={choices} onValueChange={onValueChange} />
      </Menu>
      {isSet ? <Remove filter={filter} /> : null}
    </span>
  )
}

function SetChip({ filter, onWrite }: { filter: ChipFilter; onWrite(): void }) {
  return (
    <span className={joinClasses(classes.chip, classes.set)}>
      <button type="button" className={classes.value} title={filter.value} onClick={onWrite}>
        {filter.label} <b>{filter.value}</b>
      </button>
      <Remove filter={filter} />
    </span>
  )
}

function Remove({ filter: { label, onValueChange } }: { filter: ChipFilter }) {
  return (
    <button
      type="button"
      className={classes.remove}
      aria-label={say('Remove the filter {label}', { label })}
      onClick={() => onValueChange('')}
    >
      <X size={14} aria-hidden />
    </button>
  )
}

/** Applied on Enter or blur, so that typing sends no requests. @param onEnd Only for a chip that was just opened for input. */
function TextChip({ filter, onEnd }: { filter: ChipFilter; onEnd?(): void }) {
  const { label, value, type = 'text', placeholder, charsMax, onValueChange } = filter
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  // Changed elsewhere, such as by going back.
  if (applied !== value) {
    setApplied(value)
    setText(value)
  }
  // Ending moves the focus, so the field is left a second time.
  const hasEnded = useRef(false)
  const end = () => {
    if (onEnd === undefined) return
    hasEnded.current = true
    onEnd()
  }
  const apply = () => {
    if (hasEnded.current) return
    if (text.trim() !== value) onValueChange(text.trim())
    end()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  const isSet = onEnd !== undefined || value !== ''
  return (
    <form className={joinClasses(classes.chip, isSet && classes.set)} onSubmit={send}>
      <label className={classes.value}>
        {onEnd === undefined ? <Search size={14} aria-hidden /> : null}
        {onEnd === undefined ? <VisuallyHidden>{label}</VisuallyHidden> : label}
        <input
          className={classes.text}
          type={type}
          autoFocus={onEnd !== undefined}
          maxLength={charsMax}
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={apply}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            setText(value)
            end()
          }}
        />
      </label>
    </form>
  )
}
