import { withPixpress } from 'unplugin-pixpress/next'

export default withPixpress({}, { report: { json: 'report.json' } })
