import { Dialog } from '../../ui/dialog.tsx'
import classes from './shortcut-help.module.css'
import { nameKeys, placeShortcuts, type Shortcut, shortcuts } from './shortcuts.ts'
import { say } from '../../words/say.ts'

/** Lists the keyboard shortcuts. */
export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog title={say('Keyboard shortcuts')} isOpen={isOpen} onClose={onClose}>
      <div className={classes.lists}>
        <ShortcutList title={say('Anywhere')} items={Object.values(shortcuts)} />
        <ShortcutList title={say('Go to')} items={placeShortcuts} />
      </div>
    </Dialog>
  )
}

function ShortcutList({ title, items }: { title: string; items: readonly Shortcut[] }) {
  return (
    <section>
      <h3 className={classes.title}>{title}</h3>
      <dl className={classes.list}>
        {items.map(({ keys, does }) => (
          <div key={keys} className={classes.item}>
            <dt>{does}</dt>
            <dd className={classes.keys}>
              {nameKeys(keys).map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
