// Keep the chosen kind of plugin.
import java.nio.file.Files
import java.nio.file.Path

Path project = Path.of(request.outputDirectory, request.artifactId)
Path kinds = project.resolve('kinds')
Path chosen = kinds.resolve(request.properties.getProperty('kind'))

def move(Path from, Path to) {
  Files.walk(from).withCloseable { paths ->
    paths.filter { Files.isRegularFile(it) }.toList().each { file ->
      Path target = to.resolve(from.relativize(file).toString())
      Files.createDirectories(target.parent)
      Files.move(file, target)
    }
  }
}

move(chosen.resolve('src'), project.resolve('src'))
move(chosen.resolve('root'), project)
kinds.toFile().deleteDir()
