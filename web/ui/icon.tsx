import './icon.css'

/** Outlines on a 24-unit grid, drawn with the colour of the text around them. Those that only later-loaded parts show are in those parts. */
const paths = {
  plus: 'M12 5v14M5 12h14',
  today:
    'M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z',
  latest: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4l3 2',
  priority: 'M6 21V4M6 4h11l-2.5 4L17 12H6',
  someday: 'M7 18h10a4 4 0 0 0 0-8 6 6 0 0 0-11 2 3 3 0 0 0 1 6Z',
  upcoming: 'M5 6h14v14H5ZM5 10.5h14M9 3.5V8M15 3.5V8M9 15.5h6M12.5 13l2.5 2.5-2.5 2.5',
  done: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM8.5 12.2l2.4 2.4 4.6-4.8',
  notes: 'M6 4h12v11l-5 5H6ZM13 20v-5h5M9 8.5h6M9 12h4',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20',
  edit: 'M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4',
  delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  close: 'M6 6l12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sidebar: 'M4 5h16v14H4ZM10 5v14',
  logout: 'M14 4H6v16h8M11 12h9M17 9l3 3-3 3',
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6',
  back: 'M14.5 6 8.5 12l6 6',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  undo: 'M9 5.5 4.5 10 9 14.5M4.5 10H15a4.5 4.5 0 0 1 0 9h-3',
  tag: 'M10 4 8 20M16 4l-2 16M5 9h15M4 15h15',
  task: 'M12 4a8 8 0 1 0 8 8M12 8v8M8 12h8',
  keyboard: 'M3 7h18v10H3ZM7 10.5h.01M12 10.5h.01M17 10.5h.01M8 14h8',
} as const

/** An icon of the first load by its name, or the path of another one. */
export type IconName = keyof typeof paths | `M${string}`

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={name in paths ? paths[name as keyof typeof paths] : name} />
  </svg>
)
