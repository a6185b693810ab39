import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { useCurrentPlace } from '../current-place.ts'
import { VisibleText } from '../visible-text.tsx'
import classes from './command-palette.module.css'
import { type Command, labelSeparator } from './command.ts'
import { rankCommands } from './rank-commands.ts'
import { readRecentCommands, rememberCommand } from './recent-commands.ts'
import { type CommandList, useCommands } from './use-commands.ts'
import { say } from '../../../words/say.ts'

export interface CommandPaletteProps {
  isOpen: boolean
  onClose(): void
  onShortcuts(): void
}

/** Goes to pages and objects, and does actions, by typing. */
export function CommandPalette({ isOpen, onClose, onShortcuts }: CommandPaletteProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={classes.backdrop} />
        <Dialog.Popup className={classes.popup} aria-label={say('Commands')}>
          <CommandSearch onClose={onClose} onShortcuts={onShortcuts} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface CommandGroup {
  value: string
  items: Command[]
}

function CommandSearch({ onClose, onShortcuts }: Omit<CommandPaletteProps, 'isOpen'>) {
  const [query, setQuery] = useState('')
  const { site } = useCurrentPlace()
  const groups = listGroups(useCommands(query, onShortcuts), query, site?.id ?? null)
  const choose = (command: Command) => {
    onClose()
    rememberCommand(command.id)
    // After the dialog has returned the focus, so that what the command opens keeps it.
    requestAnimationFrame(() => void command.run())
  }
  return (
    <Autocomplete.Root
      items={groups}
      value={query}
      onValueChange={setQuery}
      itemToStringValue={({ label }: Command) => label}
      mode="none"
      inline
      open
      autoHighlight="always"
      keepHighlight
    >
      <Autocomplete.Input
        className={classes.input}
        placeholder={say('Search or run')}
        aria-label={say('Search pages, objects and actions')}
      />
      <Autocomplete.Empty>
        <p className={classes.empty}>{say('No results.')}</p>
      </Autocomplete.Empty>
      <Autocomplete.List className={classes.list}>
        {(group: CommandGroup) => <Group key={group.value} group={group} onChoose={choose} />}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

/** Without a query: what can be done here, what was used last, sites, and pages of the organization and of this site. */
function listGroups({ onPage, all }: CommandList, query: string, siteId: string | null): CommandGroup[] {
  const recent = readRecentCommands()
  if (query.trim() !== '') {
    return toGroups([[say('Results'), rankCommands([...onPage, ...all], query, { siteId, recent })]])
  }
  const used = recent.flatMap((id) => all.find((command) => command.id === id) ?? [])
  const isNear = ({ label, siteId: of }: Command) => !label.includes(labelSeparator) || (of !== null && of === siteId)
  const places = all.filter((command) => command.id.startsWith('page ') && isNear(command))
  return toGroups([
    [say('On this page'), onPage],
    [say('Recent'), used],
    [say('Go to'), places.filter((place) => !used.includes(place))],
  ])
}

function toGroups(groups: [string, Command[]][]): CommandGroup[] {
  return groups.filter(([, items]) => items.length > 0).map(([value, items]) => ({ value, items }))
}

function Group({ group: { value, items }, onChoose }: { group: CommandGroup; onChoose(command: Command): void }) {
  return (
    <Autocomplete.Group items={items} className={classes.group}>
      <Autocomplete.GroupLabel className={classes.label}>{value}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(command: Command) => (
          <Autocomplete.Item
            key={command.id}
            value={command}
            className={classes.item}
            onClick={() => onChoose(command)}
          >
            <command.icon size={16} aria-hidden />
            <span className={classes.name}>
              <VisibleText text={command.label} />
            </span>
            <span className={classes.detail}>
              <VisibleText text={command.detail} />
            </span>
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}
