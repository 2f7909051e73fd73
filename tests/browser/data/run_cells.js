async ([cells, start]) => {
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  if (start) {
    const sources = panel.content.widgets.map(cell => cell.model.sharedModel.getSource());
    panel.content.activeCellIndex = sources.findIndex(source => source.startsWith(start));
  }
  await jupyterapp.commands.execute(`notebook:run-all-${cells}`);
}