import { Card } from './Card.jsx'

export default { title: 'Card', component: Card }
export const Default = {}
