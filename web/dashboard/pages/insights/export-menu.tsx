import { Download } from 'lucide-react'
import { linkButton } from '../../../ui/link-button.ts'
import { exportAddress, type QuestionFilter } from '../../api/insights.ts'
import classes from './insights-page.module.css'

/** Saves the questions that are looked at. Links, so that the browser writes a file of any length without holding it. */
export function ExportMenu({ filter }: { filter: QuestionFilter }) {
  return (
    <div className={classes.actions}>
      {(['csv', 'json'] as const).map((format) => (
        <a key={format} className={linkButton()} href={exportAddress(filter, format)} download>
          <Download size={16} aria-hidden /> {format === 'csv' ? 'Export CSV' : 'JSON'}
        </a>
      ))}
    </div>
  )
}
