package org.pecf.engine.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Load the plugins of folders on two threads, and find what they offer on one. */
final class PluginLoading {
  private final ModuleLayer parent;
  private final PluginFolders folders;
  private final List<Loading> loadings = new ArrayList<>();

  PluginLoading(PluginFolders folders, ModuleLayer parent, PluginTrust trust) {
    this.parent = parent;
    this.folders = folders;
    for (PluginFolders.Candidate candidate : folders.candidates()) {
      loadings.add(new Loading(candidate, parent, trust));
    }
  }

  /** Load all, and find what is offered. */
  PluginCatalog catalog() {
    Thread helper = new Thread(this::loadFromTheEnd, "pecf-plugins");
    helper.setDaemon(true);
    helper.start();
    ProviderDiscovery discovery = new ProviderDiscovery();
    discovery.searchBuiltIns(parent, PluginLoading.class.getClassLoader());
    List<PluginDraft> plugins = new ArrayList<>();
    for (Loading loading : loadings) {
      Optional<ModuleLayer> layer = loading.layer();
      PluginDraft draft = loading.candidate.draft();
      plugins.add(draft);
      if (layer.isPresent()) {
        discovery.searchPlugin(draft, layer.get());
      }
    }
    plugins.addAll(folders.setAside());
    return new PluginCatalog(discovery, plugins);
  }

  /** Begin at the other end: a plugin is loaded by the thread that comes first. */
  private void loadFromTheEnd() {
    try {
      for (int k = loadings.size() - 1; k >= 0; k--) {
        loadings.get(k).layer();
      }
    } catch (RuntimeException | Error e) {
      // The other thread meets it, too.
      return;
    }
  }

  /** The loading of one plugin, which runs none of its code. */
  private static final class Loading {
    private final PluginFolders.Candidate candidate;
    private final ModuleLayer parent;
    private final PluginTrust trust;
    private Optional<ModuleLayer> layer;

    Loading(PluginFolders.Candidate candidate, ModuleLayer parent, PluginTrust trust) {
      this.candidate = candidate;
      this.parent = parent;
      this.trust = trust;
    }

    /** Return the plugin's layer, unless it is not trusted or cannot be loaded: its draft says. */
    synchronized Optional<ModuleLayer> layer() {
      if (layer == null) {
        layer = load();
      }
      return layer;
    }

    private Optional<ModuleLayer> load() {
      if (trust.admits(candidate)) {
        return PluginLayer.load(candidate, parent);
      }
      // For its names only: they tell what it might have offered.
      PluginModules.read(candidate, parent);
      return Optional.empty();
    }
  }
}
