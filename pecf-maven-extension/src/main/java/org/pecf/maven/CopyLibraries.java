package org.pecf.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.project.DefaultDependencyResolutionRequest;
import org.apache.maven.project.DependencyResolutionException;
import org.apache.maven.project.DependencyResolutionRequest;
import org.apache.maven.project.ProjectDependenciesResolver;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyNode;

/**
 * A Maven extension that copies all libraries a project needs at run time to the folder named by
 * the property {@code pecf.folder}, as soon as Maven has read the project.
 *
 * <p>It uses Maven's own components only, so that no Maven plugin has to be fetched.
 */
@Named
@Singleton
public final class CopyLibraries extends AbstractMavenLifecycleParticipant {
  private final ProjectDependenciesResolver resolver;

  /** Create the extension with Maven's resolver, and thus the settings of the user of Maven. */
  @Inject
  public CopyLibraries(ProjectDependenciesResolver resolver) {
    this.resolver = resolver;
  }

  @Override
  public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
    Path folder = Paths.get(session.getUserProperties().getProperty("pecf.folder"));
    DependencyResolutionRequest request =
        new DefaultDependencyResolutionRequest(
                session.getCurrentProject(), session.getRepositorySession())
            .setResolutionFilter((node, parents) -> isNeededToRun(node));
    try {
      for (Dependency dependency : resolver.resolve(request).getResolvedDependencies()) {
        Path library = dependency.getArtifact().getFile().toPath();
        Files.copy(library, folder.resolve(library.getFileName()));
      }
    } catch (DependencyResolutionException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new MavenExecutionException(reason.getMessage(), e);
    } catch (IOException e) {
      throw new MavenExecutionException(
          "Libraries cannot be copied to " + folder + " (" + e.getMessage() + ").", e);
    }
  }

  private static boolean isNeededToRun(DependencyNode node) {
    Dependency dependency = node.getDependency();
    return dependency == null
        || dependency.getScope().equals("compile")
        || dependency.getScope().equals("runtime");
  }
}
