import { type DefaultTreeAdapterTypes, parse } from 'parse5'

const nodeTypes: Record<string, number> = { '#text': 3, '#comment': 8, '#documentType': 10 }

/** A document for the converter in workers and in Node, which have none. */
export const parsedDocument = (html: string) =>
  ({ childNodes: parse(html).childNodes.map(adapted) }) as unknown as Node

function adapted(node: DefaultTreeAdapterTypes.ChildNode): Element {
  const children = 'childNodes' in node ? node.childNodes.map(adapted) : []
  const attributes = new Map('attrs' in node ? node.attrs.map(({ name, value }) => [name, value]) : [])
  const within = (name: string): Element[] =>
    children.flatMap((child) => [
      ...(child.nodeName === name ? [child] : []),
      ...(child.querySelectorAll(name) as unknown as Element[]),
    ])
  return {
    nodeName: node.nodeName,
    nodeType: nodeTypes[node.nodeName] ?? 1,
    nodeValue: 'value' in node ? node.value : null,
    childNodes: children,
    textContent: 'value' in node ? node.value : children.map(({ textContent }) => textContent).join(''),
    getAttribute: (name: string) => attributes.get(name) ?? null,
    hasAttribute: (name: string) => attributes.has(name),
    querySelectorAll: within,
    querySelector: (name: string) => within(name)[0] ?? null,
  } as unknown as Element
}
