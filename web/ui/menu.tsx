import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import classes from './menu.module.css'
import { joinClasses } from './join-classes.ts'

export interface MenuProps {
  /** The button that opens it; must have a label. */
  trigger: ReactElement
  align?: 'start' | 'end'
  /** Whether what the menu opened has the focus, which the button must not take back. */
  keepsFocus?: boolean
  children: ReactNode
}

/** A menu behind a button. */
export function Menu({ trigger, align = 'end', keepsFocus = false, children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={classes.positioner} align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={classes.popup} finalFocus={!keepsFocus}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({
  icon,
  children,
  onSelect,
  isDangerous = false,
}: {
  icon?: ReactNode
  children: ReactNode
  onSelect(): void
  isDangerous?: boolean
}) {
  return (
    <Base.Item className={joinClasses(classes.item, isDangerous && classes.dangerous)} onClick={onSelect}>
      {icon}
      <span className={classes.text}>{children}</span>
    </Base.Item>
  )
}

/** An option that can be on or off. The menu stays open. */
export function MenuCheck({
  isChecked,
  onToggle,
  children,
}: {
  isChecked: boolean
  onToggle(): void
  children: ReactNode
}) {
  return (
    <Base.CheckboxItem className={classes.item} checked={isChecked} onCheckedChange={onToggle}>
      <span className={classes.text}>{children}</span>
      <Base.CheckboxItemIndicator className={classes.mark}>✓</Base.CheckboxItemIndicator>
    </Base.CheckboxItem>
  )
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group className={classes.group}>
      <Base.GroupLabel className={classes.label}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  )
}

export interface MenuChoicesProps<Value extends string> {
  label: string
  /** False where the menu itself is called so. */
  hasLabel?: boolean
  value: Value
  choices: readonly { value: Value; label: string; icon?: ReactNode }[]
  onValueChange(value: Value): void
}

/** A radio group within a menu. */
export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>) {
  const { label, hasLabel = true, value, choices, onValueChange } = props
  const group = (
    <Base.RadioGroup value={value} onValueChange={onValueChange}>
      {choices.map((choice) => (
        <Base.RadioItem key={choice.value} value={choice.value} className={classes.item} closeOnClick>
          {choice.icon}
          <span className={classes.text}>{choice.label}</span>
          <Base.RadioItemIndicator className={classes.mark}>✓</Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
  return hasLabel ? <MenuGroup label={label}>{group}</MenuGroup> : group
}
