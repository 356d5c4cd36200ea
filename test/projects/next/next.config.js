import { withPixpress } from 'unplugin-pixpress/next'

export default withPixpress({ output: 'export' })
