import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type LucideIcon, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from '../../ui/theme.ts'
import { sitesQuery } from '../api/sites.ts'
import classes from './command-palette.module.css'
import { useCurrentPlace } from './current-place.ts'
import { organizationPlaces, sitePlaces, siteWord } from './places.ts'
import { useSignOut } from './user-menu.tsx'

interface Command {
  id: string
  /** Displayed and searched. */
  label: string
  icon: LucideIcon
  run(): void
}

interface CommandGroup {
  value: string
  items: Command[]
}

/** Quick navigation by typing. */
export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const groups = useCommands(onClose)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={classes.backdrop} />
        <Dialog.Popup className={classes.popup} aria-label="Go to">
          <Autocomplete.Root
            items={groups}
            itemToStringValue={readLabel}
            inline
            open
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input
              className={classes.input}
              placeholder="Search pages, sites and actions …"
              aria-label="Go to"
            />
            <Autocomplete.Empty>
              <p className={classes.empty}>No results.</p>
            </Autocomplete.Empty>
            <Autocomplete.List className={classes.list}>{renderGroup}</Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function renderGroup({ value, items }: CommandGroup) {
  return (
    <Autocomplete.Group key={value} items={items} className={classes.group}>
      <Autocomplete.GroupLabel className={classes.label}>{value}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(command: Command) => (
          <Autocomplete.Item key={command.id} value={command} className={classes.item} onClick={command.run}>
            <command.icon size={16} aria-hidden />
            {command.label}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}

function readLabel({ label }: Command): string {
  return label
}

function useCommands(onClose: () => void): CommandGroup[] {
  const { organization } = useCurrentPlace()
  const sites = useQuery(sitesQuery)
  const navigate = useNavigate()
  const [, setTheme] = useTheme()
  const leave = useSignOut()
  const params = { organization: organization.id }
  const command = (label: string, icon: LucideIcon, run: () => unknown): Command => ({
    id: label,
    label,
    icon,
    run: () => {
      onClose()
      void run()
    },
  })
  return [
    {
      value: 'Pages',
      items: organizationPlaces.map(({ to, title, icon }) => command(title, icon, () => navigate({ to, params }))),
    },
    {
      value: 'Sites',
      items: (sites.data ?? []).flatMap((site) =>
        sitePlaces.map(({ to, title, icon }, index) => ({
          ...command(index === 0 ? site.name : `${site.name}: ${title}`, icon, () =>
            navigate({ to, params: { ...params, domain: siteWord(site) } }),
          ),
          id: `${site.id} ${to}`,
        })),
      ),
    },
    {
      value: 'Actions',
      items: [
        command('Use light appearance', Sun, () => setTheme('light')),
        command('Use dark appearance', Moon, () => setTheme('dark')),
        command('Use system appearance', Monitor, () => setTheme('system')),
        command('Sign out', LogOut, leave),
      ],
    },
  ]
}
