/** The icons that only notes use (ui/icon.tsx). */
export const noteIcons = {
  pin: 'M9 4h6l-.7 6 2.7 3H7l2.7-3ZM12 13v7',
  history: 'M4.5 9A8 8 0 1 1 4 12M4.5 4.5V9H9M12 8v4l3 2',
  read: 'M12 7c-2-1.5-4.5-2-8-2v13c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2V5c-3.5 0-6 .5-8 2ZM12 7v13',
  heading: 'M6 5v14M18 5v14M6 12h12',
  checkbox: 'M5 5h14v14H5ZM8.5 12.2l2.4 2.4 4.6-4.8',
  table: 'M4 5h16v14H4ZM4 10h16M12 5v14',
  link: 'M10.5 13.5a4 4 0 0 0 5.7 0l2.6-2.6a4 4 0 0 0-5.7-5.7L12 6.3M13.5 10.5a4 4 0 0 0-5.7 0l-2.6 2.6a4 4 0 0 0 5.7 5.7L12 17.7',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  indent: 'M4 6h16M4 18h16M12 12h8M4.5 9.5 7 12l-2.5 2.5',
  outdent: 'M4 6h16M4 18h16M12 12h8M7 9.5 4.5 12 7 14.5',
  order: 'M4 7h16M7 12h10M10 17h4',
} as const
