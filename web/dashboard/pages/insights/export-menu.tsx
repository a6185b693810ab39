import { ChevronDown, Download } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { MenuLink } from '../../../ui/menu-link.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { exportAddress, type QuestionFilter } from '../../api/insights.ts'
import { say } from '../../../words/say.ts'

const formats = { csv: say('CSV, for spreadsheets'), json: 'JSON', jsonl: say('JSON lines') } as const

/** Download links for the filtered questions, so that the browser streams files of any length to disk. */
export function ExportMenu({ filter }: { filter: QuestionFilter }) {
  return (
    <Menu
      trigger={
        <Button>
          <Download size={16} aria-hidden /> {say('Export')} <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {(Object.keys(formats) as (keyof typeof formats)[]).map((format) => (
        <MenuLink key={format} href={exportAddress(filter, format)} download>
          {formats[format]}
        </MenuLink>
      ))}
    </Menu>
  )
}
